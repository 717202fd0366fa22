import { pickProjects } from '@zhugong/contract/organisation/projects'
import { previewPush, pushChoices, type ReportPush, reportChannels, reportPeriods, savePush } from '@zhugong/contract/reports/endpoints'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { FieldGroup, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, NumberInput } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { ClockControl } from '#kit/pickers.tsx'
import { ReportView } from './report-view.tsx'
import { channelOptions, contentOptions, periodOptions, weekdayOptions, weekendOptions } from './report-words.ts'

const { Field, useValue } = formOf(savePush)

const mostChoices = 500

const startOf = (push: ReportPush | undefined) =>
  push
    ? {
        ...push,
        projects: push.projects.map((one) => one.code),
        userIds: push.users.map((one) => one.id),
        roleIds: push.roles.map((one) => one.id),
        weekday: String(push.weekday),
      }
    : {
        reportType: reportPeriods.week,
        content: ['attendance', 'keyPost', 'alarm'],
        channels: ['1'],
        sendAt: '08:00',
        weekday: '1',
        monthday: 1,
        weekend: 'send',
      }

/** Creates or changes a report push, with a preview for the last period. */
export function PushDrawer({ push, onClose }: { push?: ReportPush | undefined; onClose: () => void }) {
  const act = useAct(savePush, { success: '已保存' })
  return (
    <FormDrawer
      open
      act={act}
      title={push ? '修改报表推送' : '新增报表推送'}
      remark={push?.name}
      initial={startOf(push)}
      input={(body) => ({
        body: { ...body, weekday: Number(body.weekday ?? 1), id: push?.id, version: push?.version },
      })}
      onClose={onClose}
    >
      <Fields push={push} />
    </FormDrawer>
  )
}

function Fields({ push }: { push: ReportPush | undefined }) {
  const choices = useCall(pushChoices, { query: {} }, { quiet: true })
  const projects = useCall(pickProjects, { query: { size: mostChoices } }, { quiet: true })
  const [preview, setPreview] = useState(false)
  const reportType = useValue('reportType')
  const channels = useValue('channels') ?? []
  const url = useValue('webhookUrl')
  const { ready } = choices.data ?? {}
  const missing = [
    ...(ready && !ready.sms && channels.includes(reportChannels.sms) ? ['短信'] : []),
    ...(ready && !ready.mail && channels.includes(reportChannels.mail) ? ['邮件'] : []),
  ]
  return (
    <>
      <FieldGroup title="内容" actions={<Button onClick={() => setPreview(true)}>预览上一期</Button>}>
        <Field name="name" label="名称" span="all">
          <Input />
        </Field>
        <Field name="reportType" label="周期">
          <Choice options={periodOptions} />
        </Field>
        <Field name="content" label="内容">
          <Choices options={contentOptions} />
        </Field>
        <Field name="projects" label="项目范围" span="all" help="不选为每位接收人可见的全部项目；每人只收到他有权查看的数据">
          <Choices
            options={(projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
            loading={projects.isPending}
          />
        </Field>
      </FieldGroup>
      <FieldGroup title="接收">
        <Field name="roleIds" label="接收角色" help="发送时在岗的人收到，离开的不再收到">
          <Choices
            options={(choices.data?.roles ?? []).map((one) => ({ value: one.id, label: `${one.name}（${one.people} 人）` }))}
            loading={choices.isPending}
          />
        </Field>
        <Field name="userIds" label="接收人">
          <Choices
            options={(choices.data?.users ?? [])
              .filter((one) => one.enabled)
              .map((one) => ({ value: one.id, label: one.roles ? `${one.name}（${one.roles}）` : one.name }))}
            loading={choices.isPending}
          />
        </Field>
        <Field name="channels" label="渠道" span="all">
          <Choices options={channelOptions} />
        </Field>
        {missing.length > 0 && (
          <div className="zg-span-all">
            <Notice tone="warning">本平台未接入{missing.join('、')}，这些渠道会发送失败并记入发送记录</Notice>
          </div>
        )}
        <Field name="webhookUrl" label="回调地址" help="另以 JSON 推送到贵单位的系统，按您的可见范围计算">
          <Input placeholder="https://" />
        </Field>
        {url && (
          <Field name="webhookSecret" label="签名密钥" help={push?.hasSecret ? '已设置；留空不改' : '用于校验来源，保存后不再显示'}>
            <Input.Password autoComplete="new-password" />
          </Field>
        )}
      </FieldGroup>
      <FieldGroup title="时间">
        <Field name="sendAt" label="发送时间">
          <ClockControl />
        </Field>
        {reportType === reportPeriods.week && (
          <Field name="weekday" label="每周">
            <Choice options={weekdayOptions} />
          </Field>
        )}
        {(reportType === reportPeriods.month || reportType === reportPeriods.quarter) && (
          <Field name="monthday" label={reportType === reportPeriods.month ? '每月几日' : '每季首月几日'}>
            <NumberInput min={1} max={28} />
          </Field>
        )}
        <Field name="weekend" label="遇休息日" help="按本组的工作日历（机构信息设置）">
          <Choice options={reportType === reportPeriods.day ? weekendOptions.slice(0, 2) : weekendOptions} />
        </Field>
      </FieldGroup>
      {preview && <Preview onClose={() => setPreview(false)} />}
    </>
  )
}

/** The report that the user would receive now. */
function Preview({ onClose }: { onClose: () => void }) {
  const name = useValue('name') ?? ''
  const reportType = (useValue('reportType') ?? reportPeriods.week) as '1'
  const content = useValue('content') ?? []
  const projects = useValue('projects') ?? []
  const { data, error, refetch } = useCall(previewPush, { body: { name, reportType, content, projects } }, { quiet: true, staleMs: 0 })
  return (
    <PageDrawer open size={720} title="预览（按您的可见范围）" onClose={onClose}>
      {error ? <ErrorPanel error={error} retry={refetch} /> : data ? <ReportView report={data} /> : <DetailSkeleton />}
    </PageDrawer>
  )
}
