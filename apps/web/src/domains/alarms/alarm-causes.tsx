import { getAlarm } from '@zhugong/contract/alarms/endpoints'
import { causeSources, listCauses, mostCauses, noExceedance, stateCause } from '@zhugong/contract/monitoring/exceed-causes'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice } from '#kit/inputs.tsx'
import type { AlarmFile } from './alarm-file.ts'
import { aboutAlarm, SaidCard, SaidPhotos, SaidText } from './alarm-said.tsx'

const { Field } = formOf(stateCause)

export const isExceedance = (file: Pick<AlarmFile, 'family' | 'alarmKey'>) =>
  file.family === 'environment' && !noExceedance.includes(file.alarmKey)

/** Causes of an exceedance as stated by the site. Kept apart from the handling of the alarm. */
export function AlarmCauses({ file }: { file: AlarmFile }) {
  const may = useCan(stateCause, { projectCode: file.projectCode })
  const { data } = useCall(listCauses, { query: { projectCode: file.projectCode, alarmId: file.id, size: mostCauses } }, { quiet: true })
  return (
    <SaidCard
      title="原因说明"
      remark={file.permitNo === null ? '由项目说明，不改变处置状态' : `夜间施工许可 ${file.permitNo} 期内`}
      verb="说明原因"
      none="项目还没有说明原因"
      may={may}
      most={mostCauses}
      list={data?.list.map((one) => ({ ...one, kind: causeSources[one.source], by: one.byName }))}
      form={(close) => <CauseForm file={file} onClose={close} />}
    />
  )
}

function CauseForm({ file, onClose }: { file: AlarmFile; onClose: () => void }) {
  const act = useAct(stateCause, { success: '已说明原因', refreshes: [listCauses, getAlarm], onDone: onClose })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="说明超标原因"
      remark={aboutAlarm(file)}
      initial={{ files: [] }}
      input={(body: BodyOf<typeof stateCause>) => ({ query: { projectCode: file.projectCode }, body: { ...body, alarmId: file.id } })}
      onClose={onClose}
    >
      <Field name="source" label="来源" required>
        <Choice clear={false} options={Object.entries(causeSources).map(([value, label]) => ({ value, label }))} />
      </Field>
      <SaidText label="原因说明" again="说明" />
      <SaidPhotos />
    </FormDrawer>
  )
}
