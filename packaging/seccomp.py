#!/usr/bin/env python3
"""Permits what mc-eval needs in a container runtime's own seccomp profile, so that the rest of it stays in force.

    packaging/seccomp.py /usr/share/containers/seccomp.json > mc-eval.json      # Podman's; Docker's is moby's default.json
    podman run --security-opt=seccomp=mc-eval.json ...

The calls are those that make a box, which a process without capabilities may use on namespaces of its own alone.
"""

import json
import sys

BOX = ["clone", "mount", "mount_setattr", "pivot_root", "sethostname", "umount2", "unshare"]
# A profile that is older than these calls refuses them; without landlock a box is not whole.
LANDLOCK = ["landlock_add_rule", "landlock_create_ruleset", "landlock_restrict_self"]


def main():
    with open(sys.argv[1]) as file:
        profile = json.load(file)
    permitted = BOX + LANDLOCK
    for rule in profile["syscalls"]:
        # Some runtimes take the first rule for a call, and some the last.
        rule["names"] = [name for name in rule["names"] if name not in permitted]
    rules = [rule for rule in profile["syscalls"] if rule["names"]]
    profile["syscalls"] = [*rules, {"names": permitted, "action": "SCMP_ACT_ALLOW"}]
    json.dump(profile, sys.stdout, indent=2)


main()
