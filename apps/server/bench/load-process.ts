import { writeFileSync } from 'node:fs'
import { Loader, type LoadPlan, type LoadState } from './loader.ts'

/** Runs a loader in its own process, controlled over IPC, so that the load generator does not slow down the measuring process. */
export type LoadOrder =
  | { do: 'start'; plan: LoadPlan }
  | { do: 'state' }
  | { do: 'rate'; rate: number }
  | { do: 'stop'; waitMs: number; file: string }
export type LoadAnswer = LoadState & { flying: number }

let loader: Loader | undefined
let chain = Promise.resolve()
const answer = (one: Loader) => process.send?.({ ...one.state, flying: one.flying } satisfies LoadAnswer)

process.on('message', (order: LoadOrder) => {
  chain = chain.then(() => obey(order))
})
process.on('disconnect', () => process.exit(0))

async function obey(order: LoadOrder): Promise<void> {
  if (order.do === 'start') loader = new Loader(order.plan)
  if (!loader) return
  if (order.do === 'rate') loader.rate = order.rate
  if (order.do === 'stop') {
    await loader.settle(order.waitMs)
    loader.close()
    // One line per device: its number, and the acknowledged readings as ranges of seq.
    writeFileSync(order.file, loader.devices.map((d) => JSON.stringify([d.sn, spans(d.acknowledged)])).join('\n'))
  }
  answer(loader)
}

function spans(marks: Uint8Array): [from: number, to: number][] {
  const out: [number, number][] = []
  for (let i = 0; i < marks.length; i++) {
    if (!marks[i]) continue
    const last = out.at(-1)
    if (last && last[1] === i - 1) last[1] = i
    else out.push([i, i])
  }
  return out
}
