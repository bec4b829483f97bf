"""How Kubernetes changes an object by a patch, as far as Helm's patches go."""

from copy import deepcopy

# By which field the items of a list are told apart; other lists are replaced as a whole.
KEYS = {
    "containers": "name",
    "initContainers": "name",
    "env": "name",
    "volumes": "name",
    "volumeMounts": "mountPath",
    "imagePullSecrets": "name",
    "topologySpreadConstraints": "topologyKey",
    "ports": ("containerPort", "port"),
}
KEPT = ("uid", "creationTimestamp", "resourceVersion")


def applied(found, asked):
    """Server-side apply by the only one who applies: what is asked for, with what the server wrote."""
    result = deepcopy(asked)
    if found:
        result["metadata"].update({key: found["metadata"][key] for key in KEPT})
    return result


def merge(found, patch):
    """RFC 7386."""
    if not isinstance(patch, dict):
        return deepcopy(patch)
    result = deepcopy(found) if isinstance(found, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merge(result.get(key), value)
    return result


def strategic(found, patch):
    """The same, with lists whose items have a key merged by it."""
    if patch.get("$patch") == "replace":
        return {key: value for key, value in patch.items() if key != "$patch"}
    result = deepcopy(found) if isinstance(found, dict) else {}
    for key in patch.get("$retainKeys", ()) and [key for key in result if key not in patch["$retainKeys"]]:
        del result[key]
    orders = {
        name.partition("/")[2]: order for name, order in patch.items() if name.startswith("$setElementOrder/")
    }
    for key, value in patch.items():
        if key.startswith("$"):
            continue
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict):
            result[key] = strategic(result.get(key), value)
        elif key in KEYS and value and isinstance(value[0], dict):
            result[key] = _items(result.get(key, []), value, KEYS[key])
        else:
            result[key] = deepcopy(value)
    for key, order in orders.items():
        _sort(result.get(key, []), order, KEYS.get(key))
    return result


def _items(found, patch, key):
    result = {_key(item, key): item for item in found}
    for item in patch:
        name = _key(item, key)
        if item.get("$patch") == "delete":
            result.pop(name, None)
        else:
            result[name] = strategic(result.get(name), item)
    return list(result.values())


def _key(item, key):
    names = (key,) if isinstance(key, str) else key
    return next(item[name] for name in names if name in item)


def _sort(items, order, key):
    places = [_key(item, key) if isinstance(item, dict) else item for item in order]
    items.sort(
        key=lambda item: places.index(_key(item, key)) if isinstance(item, dict) else places.index(item)
    )
