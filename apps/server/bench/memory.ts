import { readFileSync } from 'node:fs'

/** Current memory of a process, in MB. */
export function memoryMb(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/)
  return Math.round(Number(line?.[1] ?? 0) / 1024)
}

/** Samples a process's memory as long as it runs. */
export function watchMemory(pid: number, everyMs = 500) {
  const samples: number[] = []
  const timer = setInterval(() => {
    try {
      samples.push(memoryMb(pid))
    } catch {
      // The process has ended.
    }
  }, everyMs)
  return {
    samples,
    get peak() {
      return Math.max(0, ...samples)
    },
    stop: () => clearInterval(timer),
  }
}

export const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length)
