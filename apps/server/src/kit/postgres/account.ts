import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** System account that runs the server: PostgreSQL refuses uid 0. */
export interface Account {
  uid: number
  gid: number
}

/**
 * Used when the machine has no `postgres` user. It is used by nothing else, unlike `nobody`, whose other daemons could read the cluster.
 */
const PRIVATE_ID = 47810

export const isRoot = (): boolean => process.getuid?.() === 0

/**
 * Account that runs the server. `undefined`: the account of this process. `owner` is the current owner of the cluster, which keeps running
 * it.
 */
export function serverAccount(owner?: Account): Account | undefined {
  if (!isRoot()) return undefined
  if (owner && owner.uid !== 0) return owner
  return accountNamed('postgres') ?? { uid: PRIVATE_ID, gid: PRIVATE_ID }
}

/** Account that runs initdb, which needs a user with a name. The created files are then given to the server's account. */
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

/** Whether the account can enter a folder. Tries it in a shell, because mode bits do not show access lists or read-only mounts. */
export function canReach(folder: string, account: Account | undefined): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
}
