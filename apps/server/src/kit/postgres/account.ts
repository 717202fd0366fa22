import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Who runs the server: PostgreSQL refuses uid 0. */
export interface Account {
  uid: number
  gid: number
}

/** Used when the machine has no `postgres` user. Private to us, unlike `nobody`, whose other daemons could then read the cluster. */
const PRIVATE_ID = 47810

export const isRoot = (): boolean => process.getuid?.() === 0

/** `undefined` means: as we are. `owner` is the present owner of the cluster, who goes on running it. */
export function serverAccount(owner?: Account): Account | undefined {
  if (!isRoot()) return undefined
  if (owner && owner.uid !== 0) return owner
  return accountNamed('postgres') ?? { uid: PRIVATE_ID, gid: PRIVATE_ID }
}

/** initdb looks up the name of its user, so it needs one that exists; what it made is handed over to the server's account afterwards. */
export function initdbAccount(): Account | undefined {
  if (!isRoot()) return undefined
  return accountNamed('postgres') ?? accountNamed('nobody') ?? { uid: 65534, gid: 65534 }
}

function accountNamed(name: string): Account | undefined {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith(`${name}:`))
    const [, , uid, gid] = line?.split(':') ?? []
    return uid && gid && Number(uid) !== 0 ? { uid: Number(uid), gid: Number(gid) } : undefined
  } catch {
    return undefined
  }
}

/** Asks the system itself, by trying: mode bits alone do not know access lists or read-only mounts. */
export function canReach(folder: string, account: Account | undefined): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
}
