import { isPlaced } from '@zhugong/contract/organisation/place'
import { fillProject, updateProject } from '@zhugong/contract/organisation/projects'
import { Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { DayInput, NumberInput } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { FenceInput } from './fence-drawer.tsx'
import { LicenceFields } from './licence-fields.tsx'

const { Field } = formOf(updateProject)

export interface CompleteDrawerProps {
  projectCode: string
  onClose: () => void
  onDone: () => void
}

/** Fields of the project that 确认开工 requires: licence, registration, position and cost. The required companies are added as units. */
export function CompleteDrawer({ projectCode, onClose, onDone }: CompleteDrawerProps) {
  const filled = useCall(fillProject, { params: { projectCode } }, { quiet: true, staleMs: 0 })
  const act = useAct(updateProject, { success: '项目资料已保存', onDone })
  // The form reads its initial values once, so wait for the newest version.
  if (!filled.data || filled.isFetching) {
    return (
      <PageDrawer open size={720} title="补齐项目资料" onClose={onClose}>
        {filled.error ? <ErrorPanel error={filled.error} retry={filled.refetch} /> : <DetailSkeleton />}
      </PageDrawer>
    )
  }
  const { linkPhone: _masked, ...rest } = filled.data
  return (
    <FormDrawer
      open
      act={act}
      title="补齐项目资料"
      remark={rest.name}
      initial={rest}
      input={(body) => ({ params: { projectCode }, body })}
      onClose={onClose}
    >
      <LicenceFields />
      <Field name="superviseNo" label="监督登记号">
        <Input />
      </Field>
      <Field name="invest" label="总投资" help="万元">
        <NumberInput />
      </Field>
      <Field name="buildingArea" label="总面积" help="平方米，房屋建筑必填">
        <NumberInput />
      </Field>
      <Field name="linkMan" label="联系人">
        <Input />
      </Field>
      <Field name="lng" label="经度" help="WGS-84">
        <NumberInput />
      </Field>
      <Field name="lat" label="纬度" help="WGS-84">
        <NumberInput />
      </Field>
      <Field name="areaRule" label="电子围栏" help="移动打卡在围栏内才计入考勤" span="all">
        <FenceInput name={rest.name} address={isPlaced(rest) ? [rest.lng, rest.lat] : undefined} sitePlan={rest.sitePlan} />
      </Field>
      <Field name="startDate" label="开工日期">
        <DayInput />
      </Field>
      <Field name="completeDate" label="计划竣工日期">
        <DayInput />
      </Field>
    </FormDrawer>
  )
}
