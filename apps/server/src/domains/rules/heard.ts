export interface EngineReading {
  time: number
  receivedAt: number
  seq?: number
  values: Record<string, unknown>
  quality: Record<string, string> | null
}

export interface EngineRecord {
  record: string
  time: number
  receivedAt: number
  seq: number
  data: Readonly<Record<string, unknown>>
}

/** An alarm the device decided by itself. */
export interface EngineFlag {
  type: string
  state: 'start' | 'end'
  time: number
  receivedAt: number
}
