import { numberIn } from '../crane-state.ts'
import { floorIsDoubtful, headingIn, headingWords, isRunning, type LiftParams, openDoors } from './lift-state.ts'
import type { DrawnCage } from './shaft.tsx'

/** The drawn properties of a cage, from live and from past readings. */
export function drawnValues(values: Readonly<Record<string, unknown>> | undefined, params: LiftParams) {
  const driver = values?.driverName
  return {
    floor: numberIn(values, 'floor'),
    floorDoubtful: floorIsDoubtful(values, params),
    speed: numberIn(values, 'speed'),
    heading: headingIn(values),
    open: openDoors(values),
    persons: numberIn(values, 'personCount'),
    ratedPersons: params.ratedPersons,
    loadPercent: numberIn(values, 'loadPercent'),
    driver: typeof driver === 'string' && driver ? driver : undefined,
  }
}

/** A cage as drawn from one stored reading. Its age is not shown. */
export function cageThen(
  row: { deviceId: string; deviceName: string; values: Readonly<Record<string, unknown>> },
  params: LiftParams,
): DrawnCage {
  const { values } = row
  const running = isRunning(values)
  return {
    id: row.deviceId,
    cage: typeof values.cage === 'string' ? values.cage : '0',
    name: row.deviceName,
    ...drawnValues(values, params),
    height: numberIn(values, 'height'),
    running,
    stale: false,
    age: undefined,
    shown: { tone: 'fine', word: running ? headingWords[headingIn(values)] : '停止' },
  }
}
