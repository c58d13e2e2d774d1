"""Returns of episodes: a line now and then, a plot at the end, and the mean of a policy's."""

import time

import numpy as np


class Progress:
    def __init__(self, solved, every=20):
        self.solved, self.every, self.returns, self.start = solved, every, [], time.time()

    def episode(self, total, step):
        self.returns.append(total)
        n = len(self.returns)
        if n % self.every == 0:
            mean = np.mean(self.returns[-self.every :])
            print(
                f"episode {n:4d}  step {step:6d}  mean return {mean:8.1f}  {time.time() - self.start:5.0f} s",
                flush=True,
            )

    def plot(self, path):
        try:
            import matplotlib
        except ImportError:
            print("No plot: matplotlib is not installed")
            return
        matplotlib.use("Agg")
        from matplotlib import pyplot as plt

        plt.figure(figsize=(6, 3.5))
        plt.plot(self.returns, lw=0.8)
        plt.axhline(self.solved, color="grey", lw=0.8, ls="--")
        plt.xlabel("episode")
        plt.ylabel("return")
        plt.tight_layout()
        plt.savefig(path, dpi=120)
        print("Plot:", path)


def evaluate(env, act, episodes):
    """The mean return of ``episodes`` episodes under the policy ``act``."""
    totals = []
    for _ in range(episodes):
        state, done, total = env.reset(), False, 0.0
        while not done:
            state, reward, done, _ = env.step(act(state))
            total += float(reward)
        totals.append(total)
    return float(np.mean(totals))
