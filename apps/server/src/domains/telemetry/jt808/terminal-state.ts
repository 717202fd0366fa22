/** State of a terminal that outlives its connections. */
export interface TerminalState {
  alarm: number
  alarmTime: number
  point: { longitude: number; latitude: number } | undefined
}
