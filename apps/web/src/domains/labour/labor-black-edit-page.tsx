import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { createLaborBlack, getLaborBlack, previewLaborBlack, updateLaborBlack } from '@zhugong/contract/labour/black'
import { blackScopes } from '@zhugong/contract/labour/black-codes'
import { workerBaseInfo } from '@zhugong/contract/personnel/workers'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { FieldGroup, FormPage, useFormInstance } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { Choice, TimeInput } from '#kit/inputs.tsx'
import { useMe, useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { BlackFacts, BlackReach, usualDays } from './black-form.tsx'

const { Field, useValue } = formOf(createLaborBlack, updateLaborBlack, previewLaborBlack)

const all = { projectCode: '*' }

/** Proposes a black list entry for a person; it stays a draft until submitted on its own page. */
export default function LaborBlackEditPage() {
  const query = usePageQuery()
  const id = query.get('id')
  return id ? <Edit id={id} /> : <Create workerId={query.get('workerId')} />
}

function Create({ workerId }: { workerId: string | null }) {
  const go = useGo()
  const projectCode = useProjectCode()
  const type = useMe((me) => me.info?.groupsType)
  const person = useCall(workerBaseInfo, { params: { id: workerId ?? '' } }, { quiet: true, enabled: workerId !== null })
  const act = useAct(createLaborBlack, {
    success: '草稿已保存，核对后提交审核',
    onDone: ({ id }) => go('/LaborBlackDetail', { id }, { replace: true }),
  })
  const at = projectCode === '*' ? undefined : projectCode
  return (
    <FormPage
      act={act}
      title="提出列入黑名单"
      loading={workerId !== null && person.isPending}
      initial={{
        name: person.data?.name,
        idCardType: '01',
        scope: type === 1 && !at ? blackScopes.area : blackScopes.project,
        scopeProject: at,
        sourceProject: at,
        notifiedTime: time(Date.now()),
        ...usualDays(),
      }}
      input={(body) => ({ query: all, body })}
      saveText="存草稿"
      barRemark="列入前须告知当事人并给予 5 个工作日申辩；由另一人认定"
    >
      <Fields />
    </FormPage>
  )
}

function Edit({ id }: { id: string }) {
  const go = useGo()
  const read = useCall(getLaborBlack, { params: { id }, query: all }, { quiet: true, staleMs: 0 })
  const act = useAct(updateLaborBlack, { success: '已保存', onDone: () => go('/LaborBlackDetail', { id }, { replace: true }) })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const e = read.data
  return (
    <FormPage
      act={act}
      title={e ? `修改 ${e.name} 的记录` : '修改记录'}
      remark="证件号码不填则保持不变"
      loading={!e}
      initial={
        e && {
          version: e.version,
          name: e.name,
          idCardType: e.idCardType ?? '01',
          reasonType: e.reasonType,
          reason: e.reason,
          occurrenceDate: e.occurrenceDate,
          scope: e.scope,
          scopeProject: e.scope === blackScopes.project ? e.scopeCode : undefined,
          scopeArea: e.scope === blackScopes.area ? e.scopeCode : undefined,
          sourceProject: e.sourceProject,
          startDate: e.startDate,
          endDate: e.endDate,
          notifiedTime: e.notifiedTime,
          files: e.files,
        }
      }
      input={(body) => ({ params: { id }, query: all, body })}
    >
      <Fields kept={e?.idCardNumber} />
    </FormPage>
  )
}

function Fields({ kept }: { kept?: string | null | undefined }) {
  const dicts = useDicts('idCardType', 'blacklistReason')
  return (
    <>
      <FieldGroup title="当事人">
        <Field name="name" label="姓名">
          <Input maxLength={50} />
        </Field>
        <Field name="idCardType" label="证件类型">
          <Choice clear={false} options={dicts.options('idCardType')} />
        </Field>
        <Field name="idCardNumber" label="证件号码" help={kept ? `现为 ${kept}，不填则不变` : '平台上没有档案的人也可以列入'}>
          <Input maxLength={30} />
        </Field>
        <Field name="notifiedTime" label="告知当事人时间" help="告知后满 5 个工作日才能认定">
          <TimeInput max={time(Date.now()).slice(0, 10)} />
        </Field>
      </FieldGroup>
      <FieldGroup title="事实与依据">
        <Field name="reasonType" label="原因">
          <Choice options={dicts.options('blacklistReason')} />
        </Field>
        <BlackFacts docs="处罚决定、生效裁判、监控截图等，至少一份；虚构劳资纠纷须附裁判或行政决定" />
      </FieldGroup>
      <FieldGroup title="范围与期限">
        <BlackReach />
        <div className="zg-span-all">
          <Effect />
        </div>
      </FieldGroup>
    </>
  )
}

type LookedAt = InputFor<typeof previewLaborBlack>['body']

/** Shows the consequences before submitting. */
function Effect() {
  const form = useFormInstance()
  const scope = useValue('scope')
  const [seen, setSeen] = useState<string>()
  const look = useAct(previewLaborBlack, { success: false })
  const [result, setResult] = useState<{ projects: number; presentAt: string[]; entryId: string | null }>()
  const ask = async () => {
    const v = form.getFieldsValue(true) as Partial<LookedAt>
    const answer = await look.run({
      query: all,
      body: {
        scope: v.scope ?? '1',
        scopeProject: v.scopeProject,
        scopeArea: v.scopeArea,
        idCardType: v.idCardType,
        idCardNumber: v.idCardNumber,
      },
    })
    setSeen(scope)
    setResult(answer?.data)
  }
  return (
    <Card title="认定后会怎样">
      {result && seen === scope ? (
        <>
          <p>
            将拦截 <b>{result.projects}</b> 个项目的进场和门禁。
          </p>
          {result.presentAt.length > 0 ? (
            <Notice tone="warning">该人现在 {result.presentAt.join('、')} 在场：认定后自动暂停作业并收回门禁。</Notice>
          ) : (
            <p className="zg-2">您管辖的项目中没有该人在场。</p>
          )}
          {result.entryId && (
            <Notice tone="danger">
              同一范围内已有记录，请 <Link to={hrefOf('/LaborBlackDetail', { id: result.entryId })}>打开原记录</Link>。
            </Notice>
          )}
        </>
      ) : (
        <p className="zg-2">填好证件号码和范围后预览影响的项目和在场情况。</p>
      )}
      <Button loading={look.running} onClick={() => void ask()}>
        预览影响
      </Button>
    </Card>
  )
}
