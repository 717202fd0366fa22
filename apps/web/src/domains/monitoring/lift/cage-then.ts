import { numberIn } from '../crane-state.ts'
import { floorIsDoubtful, headingIn, headingWords, isRunning, type LiftParams, openDoors } from './lift-state.ts'
import type { DrawnCage } from './shaft.tsx'

/** A cage as one stored reading tells it: drawn as it was, with no doubt about its age. */
export function cageThen(
  row: { deviceId: string; deviceName: string; values: Readonly<Record<string, unknown>> },
  params: LiftParams,
): DrawnCage {
  const { values } = row
  const running = isRunning(values)
  const driver = values.driverName
  return {
    id: row.deviceId,
    cage: typeof values.cage === 'string' ? values.cage : '0',
    name: row.deviceName,
    height: numberIn(values, 'height'),
    floor: numberIn(values, 'floor'),
    floorDoubtful: floorIsDoubtful(values, params),
    speed: numberIn(values, 'speed'),
    heading: headingIn(values),
    running,
    open: openDoors(values),
    persons: numberIn(values, 'personCount'),
    ratedPersons: params.ratedPersons,
    loadPercent: numberIn(values, 'loadPercent'),
    driver: typeof driver === 'string' && driver ? driver : undefined,
    stale: false,
    age: undefined,
    told: { tone: 'fine', word: running ? headingWords[headingIn(values)] : '停止' },
  }
}
