import { getAlarm } from '@zhugong/contract/alarms/endpoints'
import { listFindings, longestRoundHours, mostFindings, stateFinding } from '@zhugong/contract/monitoring/alarm-findings'
import { findingKinds, findingName, noFinding } from '@zhugong/contract/monitoring/finding-kinds'
import { Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import type { AlarmFile } from './alarm-file.ts'
import { aboutAlarm, SaidCard, SaidPhotos, SaidText } from './alarm-said.tsx'

const { Field } = formOf(stateFinding)

export const kindAt = (file: Pick<AlarmFile, 'family' | 'alarmKey'>) =>
  noFinding.includes(file.alarmKey) ? undefined : findingKinds[file.family]
type Kind = NonNullable<ReturnType<typeof kindAt>>

/** Findings and decisions recorded at an alarm. Kept apart from its handling. */
export function AlarmFindings({ file, kind }: { file: AlarmFile; kind: Kind }) {
  const may = useCan(stateFinding, { projectCode: file.projectCode })
  const { data } = useCall(
    listFindings,
    { query: { projectCode: file.projectCode, alarmId: file.id, size: mostFindings } },
    { quiet: true },
  )
  return (
    <SaidCard
      title={kind.title}
      remark="不改变处置状态，各次都保留"
      verb={kind.verb}
      none="还没有登记"
      may={may}
      most={mostFindings}
      list={data?.list.map((one) => ({
        id: one.id,
        kind: findingName(file.family, one.code),
        text: [one.text, one.person && `责任人 ${one.person}${one.everyHours ? `，每 ${one.everyHours} 小时测一次` : ''}`]
          .filter(Boolean)
          .join('；'),
        by: `${one.byName}（${one.byGroup}）`,
        at: one.at,
        files: one.files,
      }))}
      form={(close) => <FindingForm file={file} kind={kind} onClose={close} />}
    />
  )
}

function FindingForm({ file, kind, onClose }: { file: AlarmFile; kind: Kind; onClose: () => void }) {
  const act = useAct(stateFinding, { success: `已${kind.verb}`, refreshes: [listFindings, getAlarm], onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title={kind.verb}
      remark={aboutAlarm(file)}
      initial={{ files: [] }}
      input={(body: BodyOf<typeof stateFinding>) => ({ query: { projectCode: file.projectCode }, body: { ...body, alarmId: file.id } })}
      onClose={onClose}
    >
      <Field name="code" label={kind.decides ? '决定' : '类别'} required>
        <Choice clear={false} options={Object.entries(kind.codes).map(([value, label]) => ({ value, label }))} />
      </Field>
      <SaidText label="说明" again="登记" />
      {kind.decides && (
        <>
          <Field name="person" label="责任人" required>
            <Input maxLength={40} />
          </Field>
          <Field name="everyHours" label="加密间隔（小时）" help="加密监测时必填">
            <NumberInput min={1} max={longestRoundHours} precision={0} />
          </Field>
        </>
      )}
      <SaidPhotos />
    </FormDrawer>
  )
}
