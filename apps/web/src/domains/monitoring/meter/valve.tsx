import { commandResults, isFireLine } from '@zhugong/contract/telemetry/commands'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button } from 'antd'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { notify } from '#kit/notify.ts'
import type { Desk } from '../family-monitor.tsx'

/** A sleeping meter executes a command when it wakes, within a day; later the command is void. */
const expireSeconds = 86_400
const closed = '1'

/** Closes or opens the valve of the selected meter and shows the result. */
export function ValveActions({ desk, valve }: { desk: Desk; valve: string }) {
  const mayValve = useCan('meters.valve')
  const { device, selected } = desk
  const act = useAct(sendCommand, {
    success: false,
    onDone: ({ result, message }) => {
      if (result === commandResults.done) notify.success(`阀门已应答：${message || '已执行'}`)
      else if (result === commandResults.pending) notify.info('已排队，水表下次上报时执行（通常一小时内）')
      else notify.info(message || '水表没有应答，请稍后查看阀门状态')
    },
  })
  if (!mayValve || !device || isFireLine(device.name, device.installPlace)) return null
  const toOpen = valve === closed
  const verb = toOpen ? '开阀' : '关阀'
  return (
    <Button
      danger={!toOpen}
      loading={act.running}
      onClick={() =>
        act.afterRequesting(
          {
            thing: `${verb} ${device.name}`,
            consequence: toOpen
              ? '恢复该管路供水。先确认检修人员已离开。'
              : `该管路下游停水，${device.installPlace ?? '所在区域'}的施工与生活用水中断。可以随时再开阀。`,
            verb,
            keep: '不操作',
            ...(toOpen ? {} : { typeName: device.name, typeLabel: '输入水表名称确认' }),
          },
          { params: { id: selected }, body: { cmd: 'meter.valve', params: { open: toOpen }, expireSeconds } },
        )
      }
    >
      {verb}
    </Button>
  )
}
