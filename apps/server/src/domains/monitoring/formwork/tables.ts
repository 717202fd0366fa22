interface PourAdviceTable {
  id: string
  projectCode: string
  bayName: string
  text: string
  byName: string
  at: Date
}
interface PourStepTable {
  id: string
  projectCode: string
  bayName: string
  at: Date
  kind: 'start' | 'layer' | 'stop' | 'evacuated' | 'resume' | 'end'
  volume: number | null
  note: string | null
  byName: string
}

declare module '#kit/db' {
  interface Tables {
    pourAdvice: PourAdviceTable
    pourStep: PourStepTable
  }
}
