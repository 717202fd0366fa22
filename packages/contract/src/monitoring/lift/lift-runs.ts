import { numberIn, textIn, workingCycleOf } from '../../telemetry/known-records.ts'

/** Cages by the code that readings and runs use. */
export const cageNames: Readonly<Record<string, string>> = { '0': '单笼', '1': '左笼', '2': '右笼' }
export const runDirections: Readonly<Record<string, string>> = { '1': '上行', '2': '下行' }

/** A lift's cycle: one run of a cage between two stops. Heights in m, speeds in m/s. Missing values are null. */
export const runOf = ({ time, data }: { time: number; data: Readonly<Record<string, unknown>> }) => ({
  ...workingCycleOf({ time, data }),
  cage: textIn(data, 'cage') ?? '0',
  startFloor: numberIn(data, 'startFloor'),
  endFloor: numberIn(data, 'endFloor'),
  startHeight: numberIn(data, 'startHeight'),
  endHeight: numberIn(data, 'endHeight'),
  maxPersonCount: numberIn(data, 'maxPersonCount'),
  averageSpeed: numberIn(data, 'averageSpeed'),
  maxSpeed: numberIn(data, 'maxSpeed'),
  maxTilt: numberIn(data, 'maxTilt'),
  direction: textIn(data, 'direction'),
})
export type LiftRun = ReturnType<typeof runOf>
