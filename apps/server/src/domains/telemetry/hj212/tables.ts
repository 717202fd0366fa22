import type { Json } from '#kit/columns'

interface Hj212StationTable {
  id: string
  sm4Key: Buffer | null
  firstActions: Json<unknown>
  edition: number | null
  seenAt: Date | null
}

declare module '#kit/db' {
  interface Tables {
    hj212Station: Hj212StationTable
  }
}
