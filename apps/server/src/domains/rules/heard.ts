export interface EngineReading {
  time: number
  receivedAt: number
  /** Distinguishes it from other readings of the same time. */
  mark?: number
  values: Record<string, unknown>
  quality: Record<string, string> | null
}

export interface EngineRecord {
  record: string
  time: number
  receivedAt: number
  /** Distinguishes it from other records of the same time. */
  id: string
  data: Readonly<Record<string, unknown>>
}

/** An alarm decided by the device itself. */
export interface EngineFlag {
  type: string
  state: 'start' | 'end'
  time: number
  receivedAt: number
  /** The point or cage it refers to; '' for the whole device. */
  point: string
}
