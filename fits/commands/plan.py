def options(sub): pass
