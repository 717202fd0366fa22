import { listUsers } from '@zhugong/contract/access/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { execReceivers, listDuty, testExec } from '@zhugong/contract/notify/endpoints'
import { createExec, getExec, updateExec } from '@zhugong/contract/rules/endpoints'
import { execBody, execKinds, type RectifyPart } from '@zhugong/contract/rules/exec-model'
import { Button, Input, Segmented, Switch } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { FormFrame, FormSection, useFirstWrong } from '#kit/form-frame.tsx'
import { useMe, useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery, usePageTitle } from '#kit/page.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { LinkageFields } from './exec-linkage.tsx'
import { NotifyFields } from './exec-notify.tsx'
import { RectifyFields } from './exec-rectify.tsx'
import { ExecTrial } from './exec-trial.tsx'
import {
  execProblems,
  type LinkagePart,
  linkageOf,
  linkageWords,
  type NotifyPart,
  notifyOf,
  rectifyWords,
  targetWords,
  webhookSample,
} from './exec-words.ts'
import { FieldLabel } from './field-label.tsx'
import { PhonePreview } from './phone-preview.tsx'
import { tellTest } from './tell-test.ts'
import './rules.css'

type Saved = OutputFor<typeof getExec>
type Kind = keyof typeof execKinds
interface Draft {
  name: string
  kind: Kind
  enabled: boolean
  notify: NotifyPart
  linkage: LinkagePart
  rectify: RectifyPart
  webhook: { url: string; secret: string }
}
const kindHelp: Record<Kind, string> = {
  notify: '把告警告诉人，没人接单就逐级上报',
  linkage: '告警时启动一台设备，恢复后停止',
  rectify: '告警时向责任单位下发整改通知，读数恢复后才能闭合',
  webhook: '把告警推送给别的系统',
}

/** Defaults of a new action. */
const fresh = (): Draft => ({
  name: '',
  kind: 'notify',
  enabled: true,
  notify: notifyOf({ roles: ['安全员'], channels: ['1'], escalation: [{ afterMinutes: 5, roles: ['项目经理'] }] }),
  linkage: linkageOf({
    command: 'spray.start',
    stopCommand: 'spray.stop',
    minRunSeconds: 120,
    maxRunSeconds: 900,
    cooldownSeconds: 600,
    interlocks: ['frost', 'rain', 'wind', 'lowWater'],
  }),
  rectify: { category: '04', requirement: '查明原因并排除，读数恢复正常后报复查', days: 3, fromLevel: 2 },
  webhook: { url: '', secret: '' },
})

/** Creates or changes an action: a notice with its escalation, a linkage or a webhook. */
export default function ExecEditPage() {
  const query = usePageQuery()
  const id = query.get('id') ?? undefined
  const source = id ?? query.get('copy') ?? undefined
  const saved = useCall(getExec, { params: { id: source ?? '' } }, { enabled: source !== undefined, quiet: true })
  if (saved.error) return <ErrorPanel error={saved.error} retry={saved.refetch} />
  if (source && !saved.data) return <DetailSkeleton />
  const data = saved.data
  const blank = fresh()
  const initial: Draft = data
    ? {
        name: id ? data.name : `${data.name} 副本`,
        kind: data.kind as Kind,
        enabled: data.enabled,
        notify: data.notify ? notifyOf(data.notify) : blank.notify,
        linkage: data.linkage ? linkageOf(data.linkage) : blank.linkage,
        rectify: data.rectify ?? blank.rectify,
        webhook: data.webhook ? { url: data.webhook.url, secret: '' } : blank.webhook,
      }
    : blank
  return <Editor key={source ?? 'new'} saved={id ? data : undefined} initial={initial} />
}

function Editor({ saved, initial }: { saved: Saved | undefined; initial: Draft }) {
  const id = saved?.id
  const projectCode = useProjectCode()
  const site = saved?.projectCode ?? projectCode
  const projectName = useMe((me) => me.project?.name ?? me.info?.groupName ?? undefined)
  const page = usePage()
  const leave = () => page.leave('/reg2_execManage')
  const mayLink = useCan('rules.linkage')
  const [draft, setDraft] = useState(initial)
  const [dirty, setDirty] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const firstWrong = useFirstWrong(errors)
  usePageTitle(id ? `编辑 ${initial.name}` : '新建动作')
  useUnsaved(dirty, page.cacheKey, id ? initial.name : '新建动作')

  const { roles, onDuty, userIds, escalation } = draft.notify
  const everyRole = [...new Set([...roles, ...escalation.flatMap((rung) => rung.roles)])]
  const onSite = site !== '*'
  const receivers = useCall(
    execReceivers,
    {
      query: {
        projectCode: site,
        onDuty,
        roles: everyRole.length ? everyRole.join(',') : undefined,
        userIds: userIds.length ? userIds.join(',') : undefined,
      },
    },
    { enabled: onSite && draft.kind === 'notify', quiet: true, keepPrevious: true, staleMs: 60_000 },
  )
  const duty = useCall(listDuty, { query: { projectCode: site } }, { enabled: onSite && draft.kind === 'notify', quiet: true })
  const maySeeUsers = useCan(listUsers)
  const users = useCall(listUsers, { query: { size: 200 } }, { enabled: !onSite && maySeeUsers, quiet: true, staleMs: 300_000 })
  const people = onSite ? (duty.data?.people ?? []) : (users.data?.list ?? []).map(({ id: userId, name }) => ({ id: userId, name }))

  const change = (part: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...part }))
    setDirty(true)
    setErrors({})
  }
  const bodyOf = () => {
    const { name, kind, enabled, notify, linkage, rectify, webhook } = draft
    const { text, ...rest } = notify
    const parts = {
      notify: { ...rest, text: text?.trim() || undefined },
      linkage,
      rectify: { ...rectify, requirement: rectify.requirement.trim() },
      webhook: { url: webhook.url.trim(), secret: webhook.secret.trim() || undefined },
    }
    return {
      name: name.trim(),
      kind,
      enabled,
      [kind]: parts[kind],
      ...(id ? { version: saved.version } : projectCode === '*' ? {} : { projectCode }),
    }
  }
  const onFail = (error: { fields: Readonly<Record<string, string>> }) => setErrors({ ...error.fields })
  const create = useAct(createExec, { success: '动作已保存，可在规则中引用', onDone: leave, onFail })
  const update = useAct(updateExec, { success: '动作已保存，立即生效', onDone: leave, onFail })
  const test = useAct(testExec, { success: false, refreshes: [], onDone: tellTest })
  const forbidden = draft.kind === 'linkage' && !mayLink
  const save = () => {
    const body = bodyOf()
    const wrong = execProblems(draft.kind, draft)
    const parsed = execBody.safeParse(body)
    if (!parsed.success) for (const issue of parsed.error.issues) wrong[issue.path.join('.')] ??= issue.message
    setErrors(wrong)
    if (forbidden || Object.keys(wrong).length > 0) return
    if (id) void update.run({ params: { id }, body }, { fieldsShown: true })
    else void create.run({ body }, { fieldsShown: true })
  }
  const others = Object.entries(errors).filter(([field]) => !/^(name|notify|linkage|rectify|webhook)\b/.test(field))

  return (
    <FormFrame
      title={id ? '编辑动作' : '新建动作'}
      remark={saved ? (saved.projectName ?? '各项目通用') : projectCode === '*' ? '各项目通用' : '只用于本项目'}
      box={firstWrong.box}
      asideWide
      aside={
        <>
          {draft.kind === 'notify' && (
            <Card title="预览" remark={targetWords(draft.notify) || '未选择对象'}>
              <PhonePreview
                text={draft.notify.text}
                channels={draft.notify.channels}
                project={onSite ? (projectName ?? '本项目') : '某项目'}
                escalates={escalation.length > 0}
              />
            </Card>
          )}
          {draft.kind === 'linkage' && (
            <Card title="模拟联动" remark="只看会怎样，不下发命令">
              <p className="rule-said">{linkageWords(draft.linkage)}</p>
              {id && !dirty ? (
                <ExecTrial execId={id} projectCode={site} />
              ) : (
                <div className="rule-help">保存后可选一台报警设备，查看会启动哪些设备、当前被哪个联锁条件挡住。</div>
              )}
            </Card>
          )}
          {draft.kind === 'rectify' && (
            <Card title="整改通知" remark={rectifyWords(draft.rectify)}>
              <div className="rule-help">
                责任单位为设备产权单位，不在场时为施工总承包单位。同一设备的同一告警未闭合前不再重复下发，只记入原通知。监管机构的动作只起草通知，由监督员核对后下发。
              </div>
            </Card>
          )}
          {draft.kind === 'webhook' && <WebhookSample project={onSite ? (projectName ?? '本项目') : '某项目'} />}
          {saved && (
            <Card title="引用它的规则" remark={`${saved.triggers.length} 条`}>
              {saved.triggers.length === 0 ? (
                <div className="rule-help">还没有规则引用，告警时不会执行。在规则管理中选择此动作。</div>
              ) : (
                <ul className="rule-used">
                  {saved.triggers.slice(0, 12).map((one) => (
                    <li key={one.id}>
                      <Link to={hrefOf('/reg2_createRegView', { id: one.id })}>{one.name}</Link>
                    </li>
                  ))}
                  {saved.triggers.length > 12 && (
                    <li>
                      <Link to={hrefOf('/reg2_regulationManage', { execId: saved.id })}>查看全部</Link>
                    </li>
                  )}
                </ul>
              )}
            </Card>
          )}
        </>
      }
      bar={{
        onSave: save,
        saving: create.running || update.running,
        disabled: forbidden,
        onCancel: page.close,
        errors: Object.keys(errors).length,
        onShowErrors: firstWrong.show,
        actions: id && sends(draft.kind) && (
          <Button
            disabled={dirty}
            loading={test.running}
            title={dirty ? '先保存再测试' : ''}
            onClick={() => void test.run({ params: { id }, body: onSite ? { projectCode: site } : {} })}
          >
            测试发送给自己
          </Button>
        ),
        remark:
          id && sends(draft.kind) ? '测试只发给自己，并注明测试' : draft.kind === 'linkage' ? '每个联动都有停止与最长时间' : undefined,
      }}
    >
      {others.length > 0 && <Notice tone="danger">{others.map(([, text]) => text).join('；')}</Notice>}
      {forbidden && <Notice tone="warning">设备联动需要“设备联动”权限（rules.linkage），当前只能查看</Notice>}
      <FormSection
        title="基本"
        actions={
          <span className="rule-switch">
            <Switch size="small" checked={draft.enabled} aria-label="启用" onChange={(enabled) => change({ enabled })} />
            {draft.enabled ? '启用' : '停用'}
          </span>
        }
      >
        <div className="rule-parts">
          <FieldLabel label="名称" required wide error={errors.name}>
            <Input
              maxLength={100}
              value={draft.name}
              placeholder="例如：重大告警通知项目经理"
              onChange={(event) => change({ name: event.target.value })}
            />
          </FieldLabel>
          <FieldLabel label="类型" wide hint={kindHelp[draft.kind]} error={errors.kind}>
            <Segmented
              disabled={Boolean(id)}
              value={draft.kind}
              options={(Object.keys(kindHelp) as Kind[]).map((kind) => ({
                value: kind,
                label: execKinds[kind],
                disabled: kind === 'linkage' && !mayLink,
              }))}
              onChange={(kind) => change({ kind })}
            />
          </FieldLabel>
        </div>
      </FormSection>
      {draft.kind === 'notify' && (
        <NotifyFields
          value={draft.notify}
          errors={errors}
          receivers={receivers.data}
          people={people}
          onSite={onSite}
          onChange={(part) => change({ notify: { ...draft.notify, ...part } })}
        />
      )}
      {draft.kind === 'linkage' && (
        <LinkageFields value={draft.linkage} errors={errors} projectCode={site} onChange={(linkage) => change({ linkage })} />
      )}
      {draft.kind === 'rectify' && <RectifyFields value={draft.rectify} errors={errors} onChange={(rectify) => change({ rectify })} />}
      {draft.kind === 'webhook' && (
        <WebhookFields
          value={draft.webhook}
          hasSecret={saved?.webhook?.hasSecret ?? false}
          errors={errors}
          onChange={(webhook) => change({ webhook })}
        />
      )}
    </FormFrame>
  )
}

/** Actions that send a message, which can be tried out. */
const sends = (kind: Kind) => kind === 'notify' || kind === 'webhook'

function WebhookFields({
  value,
  hasSecret,
  errors,
  onChange,
}: {
  value: Draft['webhook']
  hasSecret: boolean
  errors: Readonly<Record<string, string>>
  onChange: (value: Draft['webhook']) => void
}) {
  return (
    <FormSection title="推送" remark="只支持 https；20 秒无应答算失败，隔 10 秒、1 分钟、5 分钟各重试一次">
      <div className="rule-parts">
        <FieldLabel label="地址" required wide error={errors['webhook.url']}>
          <Input
            maxLength={500}
            placeholder="https://example.com/hook"
            value={value.url}
            onChange={(event) => onChange({ ...value, url: event.target.value })}
          />
        </FieldLabel>
        <FieldLabel label="密钥" wide hint={hasSecret ? '已保存，不填则不变' : '用于签名，保存后不再显示'} error={errors['webhook.secret']}>
          <Input.Password
            maxLength={200}
            autoComplete="new-password"
            value={value.secret}
            onChange={(event) => onChange({ ...value, secret: event.target.value })}
          />
        </FieldLabel>
      </div>
    </FormSection>
  )
}

/** An example of what the receiver gets. */
function WebhookSample({ project }: { project: string }) {
  const body = JSON.stringify(webhookSample(project), null, 2)
  return (
    <Card title="推送内容示例" remark="POST，application/json">
      <pre className="rule-code">{body}</pre>
      <div className="rule-help">
        请求头 X-Zhugong-Delivery 为推送编号，重试时不变；X-Zhugong-Timestamp 为毫秒时间；设有密钥时 X-Zhugong-Signature =
        sha256=HMAC-SHA256(密钥, “时间.正文”)。请按编号去重，并核对签名与时间。
      </div>
    </Card>
  )
}
