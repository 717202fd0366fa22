import type { SelfEntryRow } from '@zhugong/contract/personnel/self-entry'
import { decideSelfEntry, getSelfEntry } from '@zhugong/contract/personnel/self-entry'
import { workerForm } from '@zhugong/contract/personnel/workers'
import { Button } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { CallError } from '#kit/failure.ts'
import { DetailSkeleton, ErrorPanel, Notice, Pairs } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, storeFile } from '#kit/inputs.tsx'
import { notify } from '#kit/notify.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { Hints } from './self-entry-hints.tsx'
import { photoFile } from './small-photo.ts'

const { Field } = formOf(decideSelfEntry)

/** Review of one self-registration. */
export function ReviewDrawer({ entry, onClose }: { entry: SelfEntryRow; onClose: () => void }) {
  const { data, error, refetch } = useCall(getSelfEntry, { params: { id: entry.id } }, { quiet: true, staleMs: 0 })
  const act = useAct(decideSelfEntry, { success: false })
  const [accepting, setAccepting] = useState<{ photo: string | null }>()
  const [filing, setFiling] = useState(false)
  /** The photo is uploaded by the officer who accepts, as if it had been taken at the desk. */
  const accept = async () => {
    if (!data) return
    setFiling(true)
    try {
      setAccepting({ photo: data.photo && data.consentFace ? await storeFile(await photoFile(data.photo, '自助登记照片.jpg')) : null })
    } catch (failure) {
      notify.error(failure instanceof CallError ? failure.message : '照片未能保存，请重试')
    } finally {
      setFiling(false)
    }
  }
  const giveBack = async () => {
    const reason = await askReason(`退回 ${entry.name} 的登记`, '退回原因，本人凭回执号可见')
    if (!reason || !data) return
    const done = await act.run({ params: { id: data.id }, body: { action: 'return', reason, version: data.version } })
    if (done) {
      notify.success('已退回')
      onClose()
    }
  }
  const stops = data?.hints.some((hint) => hint.stops)
  return (
    <PageDrawer
      open
      size={560}
      title={`自助登记 ${entry.name}`}
      onClose={onClose}
      footer={
        data?.state === 'waiting' && (
          <Can call={decideSelfEntry}>
            <div className="zg-row">
              <Button danger loading={act.running} onClick={() => void giveBack()}>
                退回
              </Button>
              <Button type="primary" loading={filing} onClick={() => void accept()}>
                通过并办理进场
              </Button>
            </div>
          </Can>
        )
      }
    >
      {error && <ErrorPanel error={error} retry={refetch} />}
      {!data && !error && <DetailSkeleton />}
      {data && (
        <div className="zg-stack-12">
          {data.state === 'waiting' && data.hints.length > 0 && (
            <Notice tone={stops ? 'danger' : 'warning'}>
              <Hints row={data} />
            </Notice>
          )}
          {data.state === 'waiting' && data.hints.length === 0 && <Notice tone="fine">未见重复、黑名单和年龄问题</Notice>}
          {data.photo && <img src={`data:image/jpeg;base64,${data.photo}`} alt={`${data.name} 的照片`} width={120} height={160} />}
          <Pairs
            items={[
              { label: '状态', value: data.reason ? `${data.stateName}：${data.reason}` : data.stateName },
              { label: '提交时间', value: data.createTime },
              { label: '姓名', value: data.name },
              { label: '年龄', value: data.age ?? '--' },
              { label: '证件号码', value: data.idCardMask },
              { label: '手机', value: `${data.cellPhoneMask}（${data.phoneProved ? '短信已验证' : '未验证'}）` },
              { label: '班组', value: `${data.teamName ?? '--'} · ${data.corpName ?? '--'}`, wide: true },
              { label: '工种', value: data.workTypeName ?? '--' },
              { label: '紧急联系', value: data.urgentLinkMan ? `${data.urgentLinkMan} ${data.urgentPhoneMask ?? ''}` : '--' },
              { label: '人脸采集', value: data.consentFace ? '同意' : '不同意' },
              ...(data.decidedName ? [{ label: '审核', value: `${data.decidedName} ${data.decidedTime ?? ''}` }] : []),
            ]}
          />
        </div>
      )}
      {data && accepting && <AcceptDrawer entry={data} photo={accepting.photo} onClose={() => setAccepting(undefined)} onDone={onClose} />}
    </PageDrawer>
  )
}

interface Entering {
  teamId: string
  workType: string
  entryTime: string
}
const acceptSchema = (decideSelfEntry.schemas.body as z.ZodDiscriminatedUnion).options[0] as z.ZodObject

function AcceptDrawer({
  entry,
  photo,
  onClose,
  onDone,
}: {
  entry: SelfEntryRow
  /** The photograph as a stored file. */
  photo: string | null
  onClose: () => void
  onDone: () => void
}) {
  const dicts = useDicts('workerType')
  const form = useCall(workerForm, { query: { projectCode: entry.projectCode } }, { quiet: true })
  const act = useAct(decideSelfEntry, {
    success: false,
    onDone: () => {
      notify.success(`${entry.name} 已办理进场，为预登记`)
      onDone()
    },
  })
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      schema={acceptSchema.pick({ teamId: true, workType: true, entryTime: true })}
      title="通过并办理进场"
      remark={entry.name}
      initial={{ teamId: entry.teamId, workType: entry.workType, entryTime: day(Date.now()) }}
      input={(values: BodyOf<typeof decideSelfEntry>) => ({
        params: { id: entry.id },
        body: { ...(values as Entering), action: 'accept' as const, photo, version: entry.version },
      })}
      onClose={onClose}
      saveText="通过"
    >
      <Field name="teamId" label="班组">
        <Choice clear={false} options={(form.data?.teams ?? []).map((t) => ({ value: t.id, label: t.teamName }))} />
      </Field>
      <Field name="workType" label="工种">
        <Choice clear={false} options={dicts.options('workerType')} />
      </Field>
      <Field name="entryTime" label="进场日期" help="请核对身份证原件后通过；实名核验、合同、教育另行办理">
        <DayInput max={day(Date.now())} />
      </Field>
    </FormDrawer>
  )
}
