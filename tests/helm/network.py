"""Who reaches whom by the NetworkPolicies: a pod that one selects is denied all but what a rule allows."""

from ipaddress import ip_address, ip_network
from itertools import product

from .manifest import Pod, matches

REACHING = {"web", "grpc", "worker", "measure"}
USERS = {
    "postgresql": REACHING | {"beat", "migrate"},
    "valkey": REACHING | {"beat"},
    "s3": REACHING,
}
PUBLIC, PUBLIC_6 = "203.0.113.80", "2606:4700::1111"
NOT_PUBLIC = (
    "10.1.2.3", "172.20.0.1", "192.168.1.1", "100.64.1.1", "127.0.0.1", "169.254.169.254", "0.0.0.0",
    "224.0.0.1", "::1", "fd00::1", "fe80::1",
)  # fmt: skip
HTTPS, STRANGE_PORT = 443, 8443
STRANGER = Pod(owner={}, labels={"app.kubernetes.io/component": "stranger"}, spec={})


def check_outside(manifest):
    """Only what measures or asks endpoints reaches the internet, and nobody reaches private addresses."""
    for pod, port in product(manifest.pods, (HTTPS, STRANGE_PORT)):
        for address in (PUBLIC, PUBLIC_6):
            if _leaves(manifest, pod, address, port) != (pod.component in REACHING):
                yield f"{pod.component} {_wrongly(pod.component in REACHING)} {address}:{port}"
        for address in NOT_PUBLIC:
            if _leaves(manifest, pod, address, port):
                yield f"{pod.component} reaches {address}:{port}"


def check_inside(manifest):
    """Servers of the release take their users alone; the doors take everybody or those that are named."""
    for client, server in product(manifest.pods, manifest.pods):
        port = next(iter(server.ports().values()), STRANGE_PORT)
        is_door = server.component in ("web", "grpc")
        users = {"test"} if is_door else USERS.get(server.component, ())
        wanted = client.component in users
        if _talks(manifest, client, server, port) != wanted:
            yield f"{client.component} {_wrongly(wanted)} {server.component}:{port}"


def _wrongly(wanted):
    return "does not reach" if wanted else "reaches"


def check_strangers(manifest):
    """Another pod of the namespace enters no server, whatever it may send."""
    for server in manifest.pods:
        if server.component in USERS:
            [port] = server.ports().values()
            if _enters(manifest, STRANGER, server, port):
                yield f"a stranger enters {server.component}"


def check_selectors(manifest):
    for found in manifest.of("NetworkPolicy"):
        selectors = [found["spec"]["podSelector"]]
        for rule in [*found["spec"].get("ingress", []), *found["spec"].get("egress", [])]:
            selectors += [
                peer["podSelector"]
                for peer in [*rule.get("to", []), *rule.get("from", [])]
                if "podSelector" in peer
            ]
        if not all(map(manifest.selected, selectors)):
            yield f"NetworkPolicy/{found['metadata']['name']} selects no pod"


def _talks(manifest, client, server, port):
    leaves = any(
        _has_port(rule, port, server) and any(_selects(peer, server) for peer in rule["to"])
        for rule in _rules(manifest, client, "egress")
    )
    return _enters(manifest, client, server, port) and leaves


def _enters(manifest, client, server, port):
    return any(
        _has_port(rule, port, server)
        and ("from" not in rule or any(_selects(peer, client) for peer in rule["from"]))
        for rule in _rules(manifest, server, "ingress")
    )


def _leaves(manifest, pod, address, port):
    return any(
        _has_port(rule, port, pod) and any(_holds(peer, address) for peer in rule["to"])
        for rule in _rules(manifest, pod, "egress")
    )


def _rules(manifest, pod, direction):
    """The rules that allow; a pod that no policy selects would be allowed everything, so that is a fault."""
    policies = [
        one["spec"] for one in manifest.of("NetworkPolicy") if matches(one["spec"]["podSelector"], pod.labels)
    ]
    if not any(direction.capitalize() in one["policyTypes"] for one in policies):
        raise AssertionError(f"no policy denies {direction} of {pod.component}")
    return [rule for one in policies for rule in one.get(direction, [])]


def _has_port(rule, port, server):
    for one in rule.get("ports", [{"port": port}]):
        if one.get("protocol", "TCP") != "TCP":
            continue
        first = server.ports().get(one["port"]) if isinstance(one["port"], str) else one["port"]
        if first is not None and first <= port <= one.get("endPort", first):
            return True
    return False


def _selects(peer, pod):
    return (
        "podSelector" in peer and "namespaceSelector" not in peer and matches(peer["podSelector"], pod.labels)
    )


def _holds(peer, address):
    block = peer.get("ipBlock")
    if block is None:
        return False
    found = ip_address(address)
    return _in(found, block["cidr"]) and not any(_in(found, one) for one in block.get("except", []))


def _in(address, cidr):
    network = ip_network(cidr)
    return address.version == network.version and address in network


CHECKS = [check_outside, check_inside, check_strangers, check_selectors]
