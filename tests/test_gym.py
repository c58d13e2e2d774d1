"""``import gym`` on Gymnasium: old names, four values from ``step``, the observation alone from ``reset``."""

import subprocess
import sys

import numpy as np
import pytest

import retrograd
from retrograd import hook

pytest.importorskip("gymnasium.envs.classic_control")


@pytest.fixture(scope="module")
def gym():
    before = hook.installed()
    retrograd.install()
    import gym

    if "revived" not in gym.__file__:
        pytest.skip("a real gym is installed")
    yield gym
    if not before:
        retrograd.uninstall()


def test_a_discrete_space_counts_in_pythons_numbers(gym):
    space = gym.spaces.Discrete(4)
    assert type(space.n) is int
    assert repr(space) == "Discrete(4)"
    assert space == gym.make("CliffWalking-v0").action_space
    assert isinstance(gym.make("CartPole-v0").action_space, gym.spaces.Discrete)
    from gym.envs.toy_text.discrete import DiscreteEnv

    table = DiscreteEnv(1, 2, {0: {a: [(1.0, 0, 0.0, False)] for a in range(2)}}, [1.0])
    assert type(table.action_space.n) is int


NAMES = {
    "CartPole-v0": (200, 4), "CartPole-v1": (500, 4), "Pendulum-v0": (200, 3), "MountainCar-v0": (200, 2),
    "MountainCarContinuous-v0": (999, 2), "Acrobot-v1": (500, 6),
}  # fmt: skip


def test_observations_are_float32(gym):
    for name in ("CartPole-v0", "Pendulum-v0"):
        env = gym.make(name)
        assert env.reset().dtype == np.float32
        assert np.asarray(env.step(env.action_space.sample())[0]).dtype == np.float32


@pytest.mark.parametrize("name", NAMES)
def test_environments_have_the_old_interface(gym, name):
    env = gym.make(name)
    steps, width = NAMES[name]
    assert (env.spec.id, env._max_episode_steps, env.observation_space.shape) == (name, steps, (width,))
    assert env.seed(3) == [3]
    first = env.reset()
    assert env.observation_space.contains(first)
    observation, reward, done, info = env.step(env.action_space.sample())
    assert observation.shape == (width,)
    assert float(reward) <= 1
    assert done is False
    assert info == {}
    env.seed(3)
    np.testing.assert_array_equal(env.reset(), first)
    env.close()


def test_a_version_that_is_gone_is_the_next_one(gym):
    assert type(gym.make("Pendulum-v0").unwrapped) is type(gym.make("Pendulum-v1").unwrapped)
    assert gym.make("FrozenLake-v0").spec.id == "FrozenLake-v0"
    with pytest.raises(gym.error.UnregisteredEnv, match=r"No registered env with id: Breakout-v0\n.*\n  Fix: "):
        gym.make("Breakout-v0")
    with pytest.raises(gym.error.Error):
        gym.make("CartPole-v7")


def test_the_registry_names_every_environment_by_its_family(gym):
    families = {spec.id: spec.entry_point.split(":")[0].split(".")[-1] for spec in gym.envs.registry.all()}
    assert families["CartPole-v0"] == families["Pendulum-v0"] == "classic_control"
    assert families["Hopper-v2"] == "mujoco"
    assert not any(spec.startswith("GymV") for spec in families)


def test_the_last_step_says_that_time_was_up(gym):
    env = gym.make("Pendulum-v0")
    with pytest.raises(AssertionError, match="before calling reset"):
        env.step([0.0])
    env._max_episode_steps = 3
    env.reset()
    ends = [env.step([0.5])[2:] for _ in range(3)]
    assert ends == [(False, {}), (False, {}), (True, {"TimeLimit.truncated": True})]


def test_unwrapped_is_the_environment_without_limits(gym):
    from gym.envs.classic_control import CartPoleEnv

    env = gym.make("CartPole-v0").unwrapped
    assert isinstance(env, CartPoleEnv)
    assert isinstance(env, gym.Env)
    assert env.unwrapped is env
    env.reset()
    env.state = np.zeros(4)
    assert env.step(1)[:3:2] == (pytest.approx([0, 0.19512195, 0, -0.29268292]), False)
    assert env.theta_threshold_radians == pytest.approx(0.2095, abs=1e-4)
    assert (env.action_space.n, gym.make("Pendulum-v0").action_space.high) == (2, 2.0)


def test_a_class_has_the_old_interface_wherever_it_is_imported_from(gym):
    from gym.envs.classic_control import CartPoleEnv, cartpole
    from gym.envs.classic_control.mountain_car import MountainCarEnv

    assert cartpole.CartPoleEnv is CartPoleEnv
    assert isinstance(gym.make("MountainCar-v0").unwrapped, MountainCarEnv)
    env = MountainCarEnv()
    assert env.reset().shape == (2,)
    assert len(env.step(1)) == 4


def test_nothing_is_shown_without_a_display(gym, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    env = gym.make("CartPole-v0")
    env.reset()
    assert env.render() is None
    env.step(0)


def test_a_window_does_not_wait_for_its_next_frame(gym, monkeypatch):
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    waits = []

    class Clock:
        def tick(self, frames_per_second=0):
            waits.append(frames_per_second)

    monkeypatch.setattr(pygame.time, "Clock", Clock)
    env = gym.make("CartPole-v0")
    env.reset()
    env.render()
    env.step(0)
    env.close()
    assert waits == [0]
    assert env.metadata["video.frames_per_second"] == 50


def test_wrappers_change_what_they_name(gym):
    class Halved(gym.ObservationWrapper):
        def observation(self, observation):
            return observation / 2

    class Doubled(gym.RewardWrapper):
        def _reward(self, reward):  # as Gym named it before 0.9.6
            return 2 * reward

    class Turned(gym.ActionWrapper):
        def action(self, action):
            return 1 - action

    bare, env = gym.make("CartPole-v0"), Turned(Doubled(Halved(gym.make("CartPole-v0"))))
    for e in (bare, env):
        e.seed(0)
    np.testing.assert_array_equal(env.reset(), bare.reset() / 2)
    (a, r, _, _), (b, s, _, _) = env.step(0), bare.step(1)
    np.testing.assert_array_equal(a, b / 2)
    assert (r, s) == (2, 1)
    assert env.gravity == 9.8
    assert env.spec.id == "CartPole-v0"


def test_observations_are_chosen_and_made_flat(gym):
    class Scene(gym.Env):
        observation_space = gym.spaces.Dict(
            {"at": gym.spaces.Discrete(3), "seen": gym.spaces.Box(0, 1, (2, 2)), "time": gym.spaces.Box(0, 9, (1,))}
        )

        def reset(self):
            return {"at": 1, "seen": np.eye(2, dtype="f"), "time": np.ones(1, "f")}

    chosen = gym.wrappers.FilterObservation(Scene(), ["at", "seen"])
    assert list(chosen.reset()) == ["at", "seen"]
    flat = gym.wrappers.FlattenObservation(chosen)
    assert flat.observation_space.shape == (7,)
    np.testing.assert_array_equal(flat.reset(), [0, 1, 0, 1, 0, 0, 1])


def test_a_monitor_sums_rewards_and_writes_nothing(gym, tmp_path):
    env = gym.wrappers.Monitor(gym.make("CartPole-v1"), str(tmp_path), force=True, video_callable=lambda _: False)
    env.reset()
    done = False
    while not done:
        *_, done, _ = env.step(0)
    assert env.get_episode_rewards() == [env.get_total_steps()]
    assert env.get_episode_lengths() == [env.get_total_steps()]
    assert not list(tmp_path.iterdir())


def test_programs_register_their_own(gym):
    class Corridor(gym.Env):
        action_space, observation_space = gym.spaces.Discrete(2), gym.spaces.Discrete(5)

        def __init__(self, length):
            self.length, self.at = length, 0

        def _reset(self):
            self.at = 0
            return self.at

        def _step(self, action):
            self.at += action
            return self.at, float(self.at == self.length), self.at == self.length, {}

    from gym.envs.registration import register

    register(id="Corridor-v0", entry_point=Corridor, kwargs={"length": 2}, max_episode_steps=7)
    env = gym.make("Corridor-v0")
    assert env.reset() == 0
    assert env.step(1)[:3] == (1, 0.0, False)
    assert env.step(1)[:3] == (2, 1.0, True)
    assert "Corridor-v0" in [spec.id for spec in gym.envs.registry.all()]


def test_spaces_are_one_wherever_they_are_imported_from(gym):
    from gym.spaces.box import Box

    assert Box is gym.spaces.Box
    assert isinstance(gym.make("Pendulum-v0").action_space, Box)
    stream, seed = gym.utils.seeding.np_random(5)
    assert seed == 5
    assert stream.randint(10**6) == gym.utils.seeding.np_random(5)[0].randint(10**6)


def test_messages_go_by_their_level(gym, capsys):
    gym.logger.set_level(gym.logger.ERROR)
    gym.logger.warn("not this")
    gym.logger.error("but %s", "this")
    gym.logger.set_level(gym.logger.WARN)
    assert capsys.readouterr().err == "ERROR: but this\n"


def test_without_gymnasium_the_import_says_what_to_install():
    program = """if True:
        import sys
        sys.modules["gymnasium"] = None
        import retrograd
        retrograd.install()
        try:
            import gym
        except ImportError as error:
            print(error)"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "No module named 'gym'"
    assert 'pip install "gymnasium[classic-control]"' in done.stdout


def test_the_number_of_actions_is_a_number_of_python(gym):
    environment = gym.make("CartPole-v1")
    assert type(environment.action_space.n) is int
    environment.action_space.seed(0)
    assert environment.action_space.contains(environment.action_space.sample())


def test_environments_whose_transitions_are_a_table(gym):
    """The numbers are Gym 0.17.3's."""
    from gym.envs.toy_text import discrete
    from gym.envs.toy_text.discrete import DiscreteEnv, categorical_sample

    table = {
        s: {a: [(0.7, min(s + a, 4), 1.0 * s, s + a >= 4), (0.3, 0, -1.0, False)] for a in (0, 1)} for s in range(5)
    }
    env = discrete.DiscreteEnv(5, 2, table, [0.5, 0.25, 0.25, 0.0, 0.0])
    assert isinstance(env, (gym.Env, DiscreteEnv))
    assert (env.nS, env.nA, env.observation_space.n, env.action_space.n) == (5, 2, 5, 2)
    assert env.seed(7) == [7]
    assert env.reset() == 0
    assert [env.step(i % 2) for i in range(6)] == [
        (0, -1.0, False, {"prob": 0.3}), (1, 0.0, False, {"prob": 0.7}), (0, -1.0, False, {"prob": 0.3}),
        (1, 0.0, False, {"prob": 0.7}), (1, 1.0, False, {"prob": 0.7}), (2, 1.0, False, {"prob": 0.7}),
    ]  # fmt: skip
    assert env.lastaction == 1
    assert env.reset() == 0
    assert categorical_sample([0.0, 1.0], env.np_random) == 1
