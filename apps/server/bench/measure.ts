import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Clock ticks a second of /proc/PID/stat on every Linux of today. */
const ticksPerSecond = 100

/** Seconds of processor time a process has used. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** The most memory a process has held, in MB. */
export function peakMemoryMb(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+(\d+) kB/)
  return Math.round(Number(line?.[1] ?? 0) / 1024)
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** A Node process of ours that says `ready` on its own line when it may be measured. */
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

/** What a process printed, once it has ended. */
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
