import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Clock ticks per second in /proc/PID/stat, the same on every current Linux. */
const ticksPerSecond = 100

/** Processor time that a process has used, in seconds. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Peak memory of a process (VmHWM), in MB. */
export function peakMemoryMb(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+(\d+) kB/)
  return Math.round(Number(line?.[1] ?? 0) / 1024)
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Starts a Node process and waits until it prints the line `ready`. */
export async function startProcess(file: string, args: string[], env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code} before it was ready`)))
    child.on('message', () => resolve())
    child.stdout?.on('data', (chunk: Buffer) => {
      if (/^ready$/m.test(chunk.toString())) resolve()
    })
  })
  return child
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Runs a process until it ends and returns what it printed. */
export function outputOf(file: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    child.once('exit', (code) => (code === 0 ? resolve(text) : reject(new Error(`${file} ended with ${code}`))))
  })
}

export const line = (name: string, product: string, limit: string, ratio: string) =>
  console.log(`${name.padEnd(34)} ${product.padEnd(34)} ${limit.padEnd(38)} ${ratio}`)

const rounds = 20

/** Milliseconds of each of `rounds` calls after a first one that fills the caches. */
export async function took(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i <= rounds; i++) {
    const begun = performance.now()
    await work()
    if (i > 0) times.push(performance.now() - begun)
  }
  return times
}

/** Prints the median and the 95th percentile of the product beside the limit, with their ratios. */
export function compare(what: string, product: readonly number[], limit: readonly number[]): void {
  for (const [name, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    const [p, b] = [quantile(product, share), quantile(limit, share)]
    line(`${what}, ${name}`, `${p.toFixed(1)} ms`, `bare ${b.toFixed(1)} ms`, `${(p / b).toFixed(2)} x`)
  }
}
