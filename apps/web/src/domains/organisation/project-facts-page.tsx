import { getProjectFacts, saveProjectRegistered } from '@zhugong/contract/organisation/project-facts'
import { fetchSuperviseNo, safetyCheckInfo } from '@zhugong/contract/organisation/project-views'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Pairs, Tag } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, LongText, NumberInput } from '#kit/inputs.tsx'
import { useGroupType, useProjectCode } from '#kit/me.ts'
import { usePageParam } from '#kit/page.tsx'
import { differencesOf, SettingsForm } from '#kit/settings-shell.tsx'
import { LicenceFields } from './licence-fields.tsx'
import { ChangesDrawer } from './project-changes.tsx'
import { Confirmation, type Facts, Gaps, PendingChanges, Units } from './project-facts-parts.tsx'
import { stateTones } from './project-words.ts'
import { StateApplies } from './state-applies.tsx'

const { Field } = formOf(saveProjectRegistered, fetchSuperviseNo)

const labels = {
  name: '项目名称',
  address: '项目地址',
  startDate: '开工日期',
  completeDate: '计划竣工日期',
  invest: '总投资',
  contractPrice: '合同总价',
  buildingArea: '总面积',
  prjSize: '建设规模',
  structureType: '结构类型',
  fundSource: '资金来源',
  investProjectCode: '投资项目代码',
  approvalNum: '立项文号',
  builderLicenses: '施工许可证',
  superviseNo: '监督登记号',
  payRollDelayDays: '工资允许延迟',
} as const
const dictOf: Readonly<Record<string, string>> = { prjSize: 'prjSize', structureType: 'structureType', fundSource: 'fundSource' }

/** Registered facts of a project, with who maintains each. */
export default function ProjectFactsPage() {
  const chosen = useProjectCode()
  const projectCode = usePageParam('projectCode') || (chosen === '*' ? undefined : chosen)
  const read = useCall(getProjectFacts, { query: { projectCode } }, { quiet: true, staleMs: 0 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  return <ProjectFacts key={read.data.version} facts={read.data} />
}

function ProjectFacts({ facts }: { facts: Facts }) {
  const { projectCode, registered } = facts
  const act = useAct(saveProjectRegistered, { success: '已保存' })
  const dicts = useDicts('prjSize', 'structureType', 'fundSource')
  const isPlatform = useGroupType() === 0
  const [changes, setChanges] = useState(false)
  const may = useCan(saveProjectRegistered, { projectCode }) && facts.mayRegister
  const words = (value: unknown, key: string): string => {
    if (key === 'builderLicenses') return (value as { builderLicenseNum: string }[]).map((one) => one?.builderLicenseNum).join('、') || '无'
    const dictionary = dictOf[key]
    if (dictionary) return dicts.name(dictionary, value as string | null) || '无'
    return value === null || value === undefined || value === '' ? '无' : String(value)
  }
  return (
    <SettingsForm
      act={act}
      title="项目信息"
      titleActions={
        // Outside the form: users without the right to edit the fields may still decide applications.
        <>
          <Button onClick={() => setChanges(true)}>登记变更{facts.pendingChanges > 0 ? `（${facts.pendingChanges} 项待审）` : ''}</Button>
          {changes && <ChangesDrawer projectCode={projectCode} onClose={() => setChanges(false)} />}
        </>
      }
      initial={{ ...registered, reason: '' }}
      input={(values) => ({ body: { ...values, projectCode, version: facts.version } })}
      last={{ by: facts.updateBy, at: facts.updateTime }}
      lock={facts.closed ? '项目已终止监督，资料只读' : may ? undefined : '没有修改登记信息的权限，此处只供查看'}
      differences={(values) => differencesOf(registered, { ...registered, ...values } as typeof registered, labels, words)}
      aside={
        <div className="fact-side">
          <Gaps facts={facts} fencePath="/system/project/electronicFence" />
          <Confirmation facts={facts} />
          <Parties facts={facts} />
        </div>
      }
    >
      <PendingChanges count={facts.pendingChanges} />
      <FieldGroup title="登记" remark="监督机构、总承包单位维护">
        <Field name="name" label="项目名称">
          <Input />
        </Field>
        <Field name="address" label="项目地址">
          <Input />
        </Field>
        <Field name="startDate" label="开工日期">
          <DayInput />
        </Field>
        <Field name="completeDate" label="计划竣工日期">
          <DayInput />
        </Field>
        {isPlatform && (
          <Field name="reason" label="修改原因" span="all" help="平台代为修改时必填，记入日志" required>
            <LongText rows={1} />
          </Field>
        )}
      </FieldGroup>
      <FieldGroup title="规模与造价" remark="总承包单位、监督机构维护">
        <Field name="invest" label="总投资">
          <NumberInput unit="万元" />
        </Field>
        <Field name="contractPrice" label="合同总价">
          <NumberInput unit="万元" />
        </Field>
        <Field name="buildingArea" label="总面积">
          <NumberInput unit="㎡" />
        </Field>
        <Field name="prjSize" label="建设规模">
          <Choice options={dicts.options('prjSize')} />
        </Field>
        <Field name="structureType" label="结构类型">
          <Choice options={dicts.options('structureType')} />
        </Field>
        <Field name="fundSource" label="资金来源">
          <Choice options={dicts.options('fundSource')} />
        </Field>
        <Field name="investProjectCode" label="投资项目代码">
          <Input />
        </Field>
        <Field name="approvalNum" label="立项文号">
          <Input />
        </Field>
      </FieldGroup>
      <FieldGroup title="许可" remark="与上级平台核对后上报">
        <LicenceFields />
      </FieldGroup>
      <FieldGroup
        title="监督"
        remark="只由监督机构和平台维护"
        actions={!registered.superviseNo && <FetchNumber projectCode={projectCode} />}
      >
        <Field name="superviseNo" label="监督登记号">
          <Input disabled={!facts.mayRegisterBody} />
        </Field>
        <Field name="payRollDelayDays" label="工资允许延迟" help="超过后产生欠薪预警">
          <NumberInput unit="天" disabled={!facts.mayRegisterBody} />
        </Field>
      </FieldGroup>
      <Units facts={facts} placesPath="/system/project/places" />
      <Posts projectCode={projectCode} />
    </SettingsForm>
  )
}

function FetchNumber({ projectCode }: { projectCode: string }) {
  const act = useAct(fetchSuperviseNo, { success: ({ superviseNo }) => `监督登记号 ${superviseNo}` })
  return (
    <Can call={fetchSuperviseNo}>
      <Button loading={act.running} onClick={() => void act.run({ body: { projectCode } })}>
        获取监督编码
      </Button>
    </Can>
  )
}

function Parties({ facts }: { facts: Facts }) {
  return (
    <Card title="参建主体" remark="在项目参建单位中登记">
      {facts.parties.length === 0 ? (
        <Empty small text="没有登记参建主体" />
      ) : (
        <ul className="fact-gaps">
          {facts.parties.map((one) => (
            <li key={`${one.part} ${one.corpName}`}>
              <span className="zg-2">{one.part}</span>
              <span>{one.corpName}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Holders of key posts, and the history of the project's state. */
function Posts({ projectCode }: { projectCode: string }) {
  const { data, error, refetch } = useCall(safetyCheckInfo, { params: { id: projectCode } }, { quiet: true })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return (
    <>
      <Card title="关键岗位" remark="按现在岗登记">
        <Pairs
          items={data.keyPosts.map((post) => ({
            label: post.name,
            value: post.holders.length > 0 ? post.holders.join('、') : <Tag tone="danger">空缺</Tag>,
          }))}
        />
      </Card>
      <Card title="状态申请">
        <StateApplies projectCode={projectCode} />
      </Card>
      <Card title="状态变更" flush>
        {data.states.length === 0 && <Empty small text="没有状态变更" />}
        {data.states.map((s) => (
          <div key={`${s.at}${s.toState}`} className="fact-line">
            <Tag tone={stateTones[s.toState] ?? 'neutral'} icon={false}>
              {s.toStateName}
            </Tag>
            <span className="zg-2">{s.at}</span> {s.reason}
          </div>
        ))}
      </Card>
    </>
  )
}
