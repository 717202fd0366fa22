import { vehicleTypeNames } from '@zhugong/contract/monitoring/gateway/passage-codes'
import { listPassages } from '@zhugong/contract/monitoring/gateway/passages'
import {
  addRegistered,
  changeRegistered,
  listRegistry,
  type RegistryKind,
  type RegistryRow,
} from '@zhugong/contract/monitoring/gateway/vehicle-registry'
import { Input } from 'antd'
import { useAct } from '#kit/call.ts'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, LongText } from '#kit/inputs.tsx'

const { Field } = formOf(addRegistered, changeRegistered)

const types = Object.entries(vehicleTypeNames).map(([value, label]) => ({ value, label }))
const refreshes = [listRegistry, listPassages]
const soon = '，一分钟内对大门告警生效'

/** Values taken over from a passage. */
export interface Prefilled {
  plateNo: string
  vehicleType: string | null
}

interface Props {
  projectCode: string
  kind: RegistryKind
  onClose: () => void
}

export function NewRegistered({ projectCode, kind, from, onClose }: Props & { from?: Prefilled | undefined }) {
  const act = useAct(addRegistered, { success: (row) => `${row.plateNo} 已${kind === 'black' ? '列入黑名单' : '登记'}${soon}`, refreshes })
  return (
    <FormDrawer
      open
      act={act}
      title={kind === 'black' ? '列入黑名单' : '登记车辆'}
      remark={from?.plateNo}
      initial={{ kind, plateNo: from?.plateNo, vehicleType: from?.vehicleType ?? undefined }}
      input={(body: BodyOf<typeof addRegistered>) => ({ query: { projectCode }, body: { ...body, kind } })}
      onClose={onClose}
    >
      <Fields kind={kind} />
    </FormDrawer>
  )
}

export function ChangeRegistered({ row, onClose }: { row: RegistryRow; onClose: () => void }) {
  const act = useAct(changeRegistered, { success: `已保存${soon}`, refreshes })
  const { kind, version } = row
  return (
    <FormDrawer
      open
      act={act}
      title={`修改 ${row.plateNo}`}
      initial={{
        kind,
        plateNo: row.plateNo,
        vehicleType: row.vehicleType ?? undefined,
        corpName: row.corpName ?? undefined,
        permitNo: row.permitNo ?? undefined,
        untilDay: row.untilDay ?? undefined,
        reason: row.reason ?? undefined,
        version,
      }}
      input={(body: BodyOf<typeof changeRegistered>) => ({
        params: { id: row.id },
        query: { projectCode: row.projectCode },
        body: { ...body, kind, version },
      })}
      onClose={onClose}
    >
      <Fields kind={kind} />
    </FormDrawer>
  )
}

function Fields({ kind }: { kind: RegistryKind }) {
  const isBlack = kind === 'black'
  return (
    <>
      <Field name="plateNo" label="车牌" required>
        <Input placeholder="如 鄂A12345" />
      </Field>
      <Field name="vehicleType" label="车型">
        <Choice options={types} />
      </Field>
      <Field name="corpName" label="运输单位">
        <Input />
      </Field>
      {!isBlack && (
        <Field name="permitNo" label="准运证号">
          <Input />
        </Field>
      )}
      <Field name="untilDay" label={isBlack ? '禁入至' : '有效期至'} help={isBlack ? '不填为长期' : '到期后按未登记处理；不填为长期'}>
        <DayInput />
      </Field>
      <Field name="reason" label={isBlack ? '列入原因' : '说明'} span="all" required={isBlack}>
        <LongText rows={3} />
      </Field>
    </>
  )
}
