import { listDevices } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import {
  addPlatformMove,
  listPlatformMoves,
  type PlatformMove,
  zeroPlatform,
  zeroTolerance,
  zeroWithinMs,
} from '@zhugong/contract/monitoring/unloading/platform-moves'
import { unloadingInfo } from '@zhugong/contract/monitoring/unloading/unloading-live'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { span, time } from '#kit/format.ts'
import { LongText, TimeInput, Upload } from '#kit/inputs.tsx'
import { EntryBook } from '../entry-book.tsx'

const { Field } = formOf(zeroPlatform, addPlatformMove)

type LastMove = OutputFor<typeof unloadingInfo>['move']
interface Platform {
  deviceId: string
  deviceName: string
  projectCode: string
  installPlace: string | null
}
const most = 50
const refreshes = [listPlatformMoves, unloadingInfo, listDevices]

/** Whether readings since the last move are reliable, as text. */
export function zeroWords(move: LastMove | undefined, now: number): { text: string; late: boolean } | undefined {
  if (!move || move.zeroedAt !== null) return undefined
  const waited = now - move.movedAt
  const late = waited > zeroWithinMs
  return { text: `移位至 ${move.toPlace} 后待校零${late ? `，已 ${span(waited)}，读数不可作依据` : ''}`, late }
}

/** Moves of a platform with acceptance and empty weight. */
export function PlatformMoves({ platform, onClose }: { platform: Platform; onClose: () => void }) {
  const may = useCan(addPlatformMove, { projectCode: platform.projectCode })
  const [adding, setAdding] = useState(false)
  const all = useCall(listPlatformMoves, { query: { projectCode: platform.projectCode, deviceId: platform.deviceId, size: most } })
  const zero = useAct(zeroPlatform, { success: '已校零', refreshes })
  return (
    <EntryBook
      title={`移位与校零　${platform.deviceName}`}
      note={`现在位置：${platform.installPlace || '未登记'}`}
      read={all}
      none="还没有移位记录"
      paper="照片"
      add={
        may && (
          <Button type="primary" onClick={() => setAdding(true)}>
            登记移位
          </Button>
        )
      }
      head={(one, i) => (
        <>
          <Zeroed move={one} /> {time(one.movedAt).slice(0, 16)} {one.fromPlace || '未登记'} → {one.toPlace}
          {may && i === 0 && one.zeroedAt === null && (
            <Button
              size="small"
              loading={zero.running}
              onClick={() =>
                void zero.afterRequesting(
                  {
                    thing: `${platform.deviceName} 校零`,
                    consequence: `请确认平台上没有材料和人员；空载读数在 ±${zeroTolerance} t 以内才算校零。`,
                    verb: '已清空，校零',
                  },
                  { params: { id: one.id }, query: { projectCode: platform.projectCode }, body: { empty: true } },
                )
              }
            >
              校零
            </Button>
          )}
        </>
      )}
      said={(one) => [`验收 ${one.personName}`, one.remark, `登记 ${one.byName}`]}
      onClose={onClose}
    >
      {adding && <AddForm platform={platform} onClose={() => setAdding(false)} />}
    </EntryBook>
  )
}

const Zeroed = ({ move }: { move: PlatformMove }) =>
  move.zeroedAt === null ? (
    <Tag tone="warning">待校零</Tag>
  ) : (
    <span title={`${time(move.zeroedAt)} ${move.zeroedBy ?? ''}`}>
      <Tag tone="fine">空载 {move.zeroWeight?.toFixed(2)} t</Tag>
    </span>
  )

function AddForm({ platform, onClose }: { platform: Platform; onClose: () => void }) {
  const act = useAct(addPlatformMove, { success: '已登记，校零前读数不作依据', refreshes, onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="登记移位"
      remark={platform.deviceName}
      initial={{ files: [] }}
      input={(body: BodyOf<typeof addPlatformMove>) => ({
        query: { projectCode: platform.projectCode },
        body: { ...body, deviceId: platform.deviceId },
      })}
      onClose={onClose}
    >
      <Field
        name="toPlace"
        label="新位置"
        required
        help={`写明楼栋、楼层与方位，如 住院楼 9 层北侧；现在为 ${platform.installPlace || '未登记'}`}
      >
        <Input />
      </Field>
      <Field name="movedAt" label="移位时间" help="不填为现在">
        <TimeInput />
      </Field>
      <Field name="personName" label="验收人" required>
        <Input />
      </Field>
      <Field name="remark" label="说明" help="锚环、钢丝绳、限载牌等验收情况">
        <LongText rows={2} />
      </Field>
      <Field name="files" label="验收照片" required>
        <Upload max={6} maxMb={20} accept="image/*" />
      </Field>
    </FormDrawer>
  )
}
