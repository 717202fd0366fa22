export interface EngineReading {
  time: number
  receivedAt: number
  /** Tells it apart from other readings of the moment. */
  mark?: number
  values: Record<string, unknown>
  quality: Record<string, string> | null
}

export interface EngineRecord {
  record: string
  time: number
  receivedAt: number
  /** Tells it apart from other records of the moment. */
  id: string
  data: Readonly<Record<string, unknown>>
}

/** An alarm the device decided by itself. */
export interface EngineFlag {
  type: string
  state: 'start' | 'end'
  time: number
  receivedAt: number
  /** The point or cage it speaks of; '' for the whole device. */
  point: string
}
