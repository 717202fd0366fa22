import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Load } from '../bench/load.ts'
import { watchMemory } from '../bench/memory.ts'
import { Stand, until } from '../bench/stand.ts'
import { inWords, isWhole, takeAccount } from './account.ts'
import { databaseProcesses } from './processes.ts'
import { report } from './report.ts'

const boxes = 2_000
const patienceMs = 60_000
/** The product has recovered when requests are answered again; this is the limit for it. */
const recoverySeconds = 30

async function underLoad(stand: Stand) {
  const fleet = await stand.fleet('fault', boxes)
  await stand.start('ingest')
  const load = await Load.start({ ...stand.mqtt, gateways: fleet, rate: 0, inFlight: 10, bundle: 1, overloadOneIn: 50 })
  await load.connected(boxes, 120_000)
  await sleep(12_000)
  return load
}

/** Suspends the processes of the database for a minute: no error and no answer, as on a machine whose disk hangs. */
export async function databaseStopped(firstPort: number): Promise<boolean> {
  const seconds = Number(process.env.FAULT_SECONDS ?? 60)
  const stand = await Stand.open({ firstPort })
  try {
    const load = await underLoad(stand)
    const memory = watchMemory(stand.pidOf('ingest'))
    const pids = databaseProcesses(stand.postgres.pid)
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    await sleep(2_000)
    const begun = await load.state()
    await sleep(seconds * 1_000 - 2_000)
    const during = (await load.state()).acknowledged - begun.acknowledged
    const notReady = (await stand.ask('/readyz').catch(() => ({ status: 503 }))).status === 503
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    const back = await load.answersAgain(patienceMs)
    await until(async () => (await stand.ask('/readyz')).status === 200, patienceMs)
    await sleep(20_000)
    memory.stop()
    const account = await takeAccount(stand, load)
    return report(
      `database stopped ${seconds} s`,
      `${inWords(account)}; acknowledged meanwhile ${during} (0), told as not ready ${notReady ? 'yes' : 'NO'}, answers again after ${back.toFixed(1)} s (${recoverySeconds}), memory peak ${memory.peak} MB`,
      isWhole(account) && during === 0 && notReady && back < recoverySeconds,
    )
  } finally {
    await stand.close()
  }
}

/** Fills the disk of the database under load, and frees the space again after a while. */
export async function diskFull(firstPort: number): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'zg-disk-'))
  chmodSync(dataDir, 0o755)
  const disk = join(dataDir, 'disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3g,mode=0755', 'zhugong-faults', disk], { stdio: 'pipe' })
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    console.log(
      `disk full: skipped, this machine lets nobody mount a small disk (${String((error as Error).message)
        .split('\n')
        .at(-1)
        ?.trim()})`,
    )
    return true
  }
  try {
    const stand = await Stand.open({ firstPort, dataDir: disk })
    try {
      const load = await underLoad(stand)
      const memory = watchMemory(stand.pidOf('ingest'))
      const ballast = join(disk, 'ballast')
      const room = statfsSync(disk)
      // Leave a little space, so that the database itself reaches the end of the disk in the middle of a write.
      const bytes = room.bavail * room.bsize - 24 * 1024 * 1024
      fill(ballast, bytes)
      const from = await load.state()
      const isFull = await until(async () => {
        const before = (await load.state()).acknowledged
        await sleep(2_000)
        return (await load.state()).acknowledged === before
      }, patienceMs)
      const stood = await load.state()
      await sleep(20_000)
      const during = (await load.state()).acknowledged - stood.acknowledged
      rmSync(ballast)
      const back = await load.answersAgain(patienceMs)
      await sleep(20_000)
      memory.stop()
      const account = await takeAccount(stand, load)
      return report(
        'disk full for 20 s',
        `${inWords(account)}; ran full ${isFull ? `after ${stood.acknowledged - from.acknowledged} more` : 'NEVER'}, acknowledged meanwhile ${during}, answers again after ${back.toFixed(1)} s (${recoverySeconds}), memory peak ${memory.peak} MB`,
        isWhole(account) && isFull && back < recoverySeconds,
      )
    } finally {
      await stand.close()
    }
  } finally {
    execFileSync('umount', ['-l', disk], { stdio: 'pipe' })
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Writes the bytes: a sparse file of that size would take no space. If the database was faster, the disk is already full. */
function fill(file: string, bytes: number): void {
  const piece = Buffer.alloc(16 * 1024 * 1024, 1)
  try {
    for (let left = bytes; left > 0; left -= piece.length) appendFileSync(file, piece.subarray(0, Math.min(left, piece.length)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
