import { fastProjectInfo } from '@zhugong/contract/organisation/project-views'
import { createProjectFast } from '@zhugong/contract/organisation/projects'
import { Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { AreaInput, Choice } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { CorporationInput } from './corporation-input.tsx'

const { Field, useValue } = formOf(createProjectFast)

/** Creates a project with the fields required on the first day; values that follow from the user's group are prefilled. */
export function FastDrawer({ onClose }: { onClose: () => void }) {
  const dicts = useDicts('projectCategory')
  const begin = useCall(fastProjectInfo, { query: {} }, { quiet: true })
  const act = useAct(createProjectFast, { success: (r) => `项目已建立，编码 ${r.projectCode}` })
  if (!begin.data) {
    return (
      <PageDrawer open size={720} title="快速建项" onClose={onClose}>
        {begin.error ? <ErrorPanel error={begin.error} retry={begin.refetch} /> : <DetailSkeleton />}
      </PageDrawer>
    )
  }
  const { areaCode, contractorCorpCode } = begin.data
  return (
    <FormDrawer
      open
      act={act}
      title="快速建项"
      remark="其余内容在项目信息中补齐"
      initial={{ areaCode: areaCode ?? undefined, contractorCorpCode: contractorCorpCode ?? undefined }}
      onClose={onClose}
    >
      <Field name="name" label="项目名称" span="all">
        <Input />
      </Field>
      <Field name="areaCode" label="项目所在地" help="选到区县">
        <AreaInput />
      </Field>
      <Field name="category" label="项目分类">
        <Choice options={dicts.options('projectCategory')} />
      </Field>
      <SameName />
      <Field name="address" label="项目地址" span="all">
        <Input />
      </Field>
      <Field name="contractorCorpCode" label="总承包单位">
        <CorporationInput />
      </Field>
      <Field name="buildCorpCode" label="建设单位">
        <CorporationInput />
      </Field>
      <Field name="linkMan" label="联系人">
        <Input />
      </Field>
      <Field name="linkPhone" label="联系电话">
        <Input inputMode="tel" />
      </Field>
    </FormDrawer>
  )
}

/** Warns early that a project of the same name exists in the same area. */
function SameName() {
  const name = useValue('name')?.trim() ?? ''
  const areaCode = useValue('areaCode') ?? ''
  const requested = name.length > 1 && areaCode.length === 6
  const known = useCall(fastProjectInfo, { query: { name, areaCode } }, { quiet: true, enabled: requested })
  const [same] = requested ? (known.data?.same ?? []) : []
  if (!same) return null
  return (
    <div className="zg-span-all">
      <Notice tone="warning">
        同一地区已有同名项目：{same.projectCode}（{same.prjStatusName}），请核对是否同一项目或改名
      </Notice>
    </div>
  )
}
