/** Pressure below which a spray line has no water, in MPa; the same limit as the catalogue's alarm. */
export const dryBelowMpa = 0.05

/**
 * A fault a device reports without an active alarm: a dry spray line raises one only while spraying, a broken sensor none at all. A device
 * with such a fault does not count as in order.
 */
interface DeviceFault {
  family: string
  metric: string
  text: string
  /** The coded value, or the limit below which the metric indicates the fault. */
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

/** The first fault in a device's latest reading; undefined when there is none. */
export const faultOf = (family: string, values: Readonly<Record<string, unknown>>): string | undefined =>
  deviceFaults.find((one) => {
    const value = values[one.metric]
    if (one.family !== family || value === undefined || value === null) return false
    return one.below === undefined ? String(value) === one.is : typeof value === 'number' && value < one.below
  })?.text
