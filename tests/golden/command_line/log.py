import tensorflow as tf

log = tf.compat.v1.logging
print(log.get_verbosity(), log.DEBUG, log.INFO, log.WARN, log.ERROR, log.FATAL)
log.info("not shown")
log.warn("warn %d", 3)
log.warning("warning")
log.error("error %s", "x")
log.fatal("fatal")
log.set_verbosity(log.INFO)
log.info("info %s", "a")
log.log(log.INFO, "log %d", 1)
for i in range(5):
    log.log_every_n(log.INFO, "every %d", 2, i)
for i in range(5):
    log.log_first_n(log.INFO, "first %d", 2, i)
for i in range(5):
    log.log_if(log.INFO, "if %d", i == 3, i)
log.TaskLevelStatusMessage("task")
log.set_verbosity("DEBUG")
log.debug("debug")
print(log.get_verbosity())
