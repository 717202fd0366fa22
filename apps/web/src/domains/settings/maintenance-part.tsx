import { publicSettings, updateSettings } from '@zhugong/contract/identity/endpoints'
import { Button, Input } from 'antd'
import type { ReactNode } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { FieldGroup } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { TimeInput } from '#kit/inputs.tsx'
import { announcedHours } from '#kit/maintenance.tsx'
import { loadSettings } from '#kit/me.ts'
import { differencesOf, SettingsForm } from '#kit/settings-shell.tsx'

const { Field } = formOf(updateSettings)

const labels = { from: '开始时间', until: '结束时间', words: '维护说明' } as const
const none = { from: '', until: '', words: '' }

/** Announces planned downtime on the login pages and in the header. */
export function MaintenancePart({ choice }: { choice: ReactNode }) {
  const { data, error, refetch } = useCall(publicSettings, { query: {} }, { quiet: true, staleMs: 0 })
  const onDone = () => void loadSettings()
  const act = useAct(updateSettings, { success: '计划维护已公布', onDone })
  const withdraw = useAct(updateSettings, { success: '计划维护已撤下', onDone })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const current = data.maintenance ?? none
  const earliest = day(Date.now())
  return (
    <SettingsForm
      key={`${current.from} ${current.until}`}
      act={act}
      title="系统设置"
      titleActions={choice}
      remark={data.maintenance ? '已公布，结束后自动撤下' : '目前没有公布的计划维护'}
      initial={data.maintenance ? { maintenance: data.maintenance } : {}}
      input={(body) => ({ body: { maintenance: body.maintenance } })}
      last={undefined}
      lock={undefined}
      differences={(values) =>
        differencesOf(current, { ...current, ...(values as { maintenance?: Partial<typeof current> }).maintenance }, labels)
      }
    >
      <FieldGroup
        title="计划维护"
        actions={
          data.maintenance && (
            <Button
              size="small"
              danger
              loading={withdraw.running}
              onClick={() =>
                void withdraw.afterRequesting(
                  { thing: '撤下计划维护', consequence: '登录页、入口页和各页上方不再提示。', verb: '撤下', keep: '保留' },
                  { body: { maintenance: null } },
                )
              }
            >
              撤下
            </Button>
          )
        }
      >
        <Field name="maintenance.from" label={labels.from} required>
          <TimeInput min={earliest} />
        </Field>
        <Field name="maintenance.until" label={labels.until} required>
          <TimeInput min={earliest} />
        </Field>
        <Field
          name="maintenance.words"
          label={labels.words}
          span="all"
          help={`保存后登录页和入口页立即显示，开始前 ${announcedHours} 小时起在每一页上方提示`}
          required
        >
          <Input placeholder="例如：数据库升级，期间无法登录，设备数据照常接收" />
        </Field>
      </FieldGroup>
    </SettingsForm>
  )
}
