@rem npm runs "exec node ..." with cmd on Windows, which has no exec.
@%*
