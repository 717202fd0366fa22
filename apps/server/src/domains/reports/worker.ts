import { createReportSendings, type ReportDependencies, turnReports } from './turns.ts'

/** Jobs role: sends reports when `look` is called, until nothing is left. */
export function startReports(deps: ReportDependencies): { look(): Promise<void>; stop(): Promise<void> } {
  let stopped = false
  let running: Promise<void> | undefined
  let again = false
  const sendings = createReportSendings(deps.log, () => void look())
  const round = async () => {
    do {
      again = false
      try {
        if ((await turnReports(deps, sendings)) > 0) again = true
      } catch (error) {
        deps.log.warn({ err: error }, 'reports')
      }
    } while (again && !stopped)
    running = undefined
  }
  /** Resolves when nothing more can be started; deliveries in flight are not awaited. */
  async function look(): Promise<void> {
    if (stopped) return
    if (running) again = true
    else running = round()
    await running
  }
  return {
    look,
    async stop() {
      stopped = true
      await running
      await Promise.all(Object.values(sendings).map((way) => way.stop()))
    },
  }
}
