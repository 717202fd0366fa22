/** States of a run. */
export const runStates = {
  waitingConfirm: '等待确认',
  held: '联锁等待',
  starting: '正在启动',
  running: '运行中',
  stopping: '正在停止',
  ended: '已结束',
} as const
export type RunState = keyof typeof runStates

/** Why a run ended or was never started. */
export const runResults = {
  done: '已执行',
  recovered: '告警解除后停止',
  maxRun: '到最长时间停止',
  interlock: '联锁停止',
  manual: '人工停止',
  disabled: '动作停用后停止',
  alarmOver: '启动前告警已解除',
  unconfirmed: '无人确认，未启动',
  held: '联锁未解除，未启动',
  blocked: '人工停止期内，未启动',
  noReply: '设备无应答',
  unreachable: '设备不在线',
  refused: '设备拒绝',
  stopFailed: '停止指令未被执行',
} as const
export type RunResult = keyof typeof runResults

/** Time within which a person can confirm a run, and for which automatic starts are disabled after a manual stop. */
export const confirmMinutes = 10
export const blockMinutes = 30
