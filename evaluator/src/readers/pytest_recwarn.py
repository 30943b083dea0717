@pytest.fixture
def recwarn():
    import warnings

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("default")
        yield _Recorded(heard)
