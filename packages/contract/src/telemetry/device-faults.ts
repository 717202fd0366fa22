/** Below this there is no water in the line of a spray, MPa, as the catalogue's alarm of it. */
export const dryBelowMpa = 0.05

/**
 * What a machine says of itself that is not right, though no alarm goes on: a dry line is an alarm only while it sprays, a broken sensor is
 * none at all. Such a machine is not called in order.
 */
interface DeviceFault {
  family: string
  metric: string
  text: string
  /** The coded value that tells it, or the number it is below. */
  is?: string
  below?: number
}

export const deviceFaults: readonly DeviceFault[] = [
  { family: 'sprayController', metric: 'waterPressure', below: dryBelowMpa, text: '无水' },
  { family: 'towerCrane', metric: 'sensorStatus', is: '3', text: '传感器故障' },
  { family: 'unloadingPlatform', metric: 'weightStatus', is: '3', text: '载重传感器故障' },
  { family: 'unloadingPlatform', metric: 'tiltStatus', is: '3', text: '倾角传感器故障' },
  { family: 'unloadingPlatform', metric: 'batteryStatus', is: '3', text: '电源故障' },
  { family: 'waterMeter', metric: 'valve', is: '3', text: '阀门异常' },
]

/** The first thing wrong with what a machine said last; undefined where all of it is in order. */
export const faultOf = (family: string, values: Readonly<Record<string, unknown>>): string | undefined =>
  deviceFaults.find((one) => {
    const value = values[one.metric]
    if (one.family !== family || value === undefined || value === null) return false
    return one.below === undefined ? String(value) === one.is : typeof value === 'number' && value < one.below
  })?.text
