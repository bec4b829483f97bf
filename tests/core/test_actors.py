from exchange.core.actors import Actor, Scope


class TestScopes:
    def test_writing_something_includes_reading_it(self):
        actor = Actor(scopes=frozenset({Scope.BENCHMARKS_WRITE}))
        assert actor.has_scope(Scope.BENCHMARKS_WRITE)
        assert actor.has_scope(Scope.BENCHMARKS_READ)

    def test_reading_something_does_not_include_writing_it(self):
        assert not Actor(scopes=frozenset({Scope.BENCHMARKS_READ})).has_scope(Scope.BENCHMARKS_WRITE)

    def test_writing_one_thing_says_nothing_about_another(self):
        actor = Actor(scopes=frozenset({Scope.BENCHMARKS_WRITE}))
        assert not actor.has_scope(Scope.ENDPOINTS_READ)
        assert not actor.has_scope(Scope.ENDPOINTS_WRITE)
