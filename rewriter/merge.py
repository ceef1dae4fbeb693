def merge(*a, **k):
    raise RuntimeError
