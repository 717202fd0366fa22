import { InboxOutlined } from '@ant-design/icons'
import { listPapers } from '@zhugong/contract/settings/company-papers'
import { bringMaterial, dayIn, type MaterialRow, materialStates, submitMaterials } from '@zhugong/contract/settings/materials'
import { Button, Progress } from 'antd'
import { useState } from 'react'
import { showFailure, useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, FigureStrip } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, LongText, storeFile, Upload } from '#kit/inputs.tsx'
import { FileLinks, MaterialTag, type Stage, useMaterials } from './materials-parts.tsx'
import './settings.css'

const { Field } = formOf(bringMaterial, submitMaterials)

interface Bringing {
  row: MaterialRow
  kind: 'files' | 'notNeeded'
  files?: string[]
  validEnd?: string | undefined
}

/** Documents a site must submit, returned ones and expiring ones. */
export default function SiteMaterialPage() {
  const { projectCode, data, error, refetch } = useMaterials()
  const [bringing, setBringing] = useState<Bringing>()
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const count = (test: (row: MaterialRow) => boolean) => data.list.filter(test).length
  const returned = count((row) => row.state === materialStates.returned)
  const due = count((row) => row.due !== null)
  return (
    <>
      <FigureStrip
        items={[
          { label: '已接收', value: `${count((row) => row.state === materialStates.accepted)} / ${data.total}` },
          { label: '缺', value: count((row) => row.state === 'missing'), unit: '项', tone: 'warning', remark: '只计已到的阶段' },
          { label: '退回', value: returned, unit: '项', tone: returned ? 'danger' : undefined },
          { label: '将过期或已过期', value: due, unit: '项', tone: due ? 'warning' : undefined },
        ]}
      />
      {data.stages.map((stage) => (
        <StageCard
          key={stage.stage}
          projectCode={projectCode}
          stage={stage}
          rows={data.list.filter((row) => row.stage === stage.stage)}
          onBring={setBringing}
        />
      ))}
      {bringing && <BringDrawer projectCode={projectCode} bringing={bringing} onClose={() => setBringing(undefined)} />}
    </>
  )
}

function StageCard(props: { projectCode: string; stage: Stage; rows: readonly MaterialRow[]; onBring: (one: Bringing) => void }) {
  const { projectCode, stage, rows, onBring } = props
  const submit = useAct(submitMaterials, { success: ({ submitted }) => `已提交 ${submitted} 项，等待审核` })
  const ready = rows.filter((row) => row.state === materialStates.brought).length
  return (
    <Card
      title={stage.name}
      remark={
        <Progress
          percent={Math.round((stage.done / Math.max(1, stage.total)) * 100)}
          size="small"
          className="set-progress"
          aria-label={`${stage.name}进度`}
          format={() => `${stage.done} / ${stage.total}`}
        />
      }
      actions={
        <Can call={submitMaterials}>
          <Button
            type={ready ? 'primary' : 'default'}
            disabled={ready === 0}
            loading={submit.running}
            onClick={() => void submit.run({ query: { projectCode }, body: { stage: stage.stage } })}
          >
            提交本阶段{ready ? `（${ready} 项）` : ''}
          </Button>
        </Can>
      }
      flush
    >
      {rows.map((row) => (
        <Item key={row.item} row={row} onBring={onBring} />
      ))}
    </Card>
  )
}

/** One document; files can be dropped on it. */
function Item({ row, onBring }: { row: MaterialRow; onBring: (one: Bringing) => void }) {
  const may = useCan(bringMaterial, { projectCode: row.projectCode })
  const [over, setOver] = useState(false)
  const drop = async (files: File[]) => {
    try {
      const urls: string[] = []
      for (const file of files) {
        urls.push(await storeFile(file))
      }
      onBring({ row, kind: 'files', files: urls, validEnd: files.map((file) => dayIn(file.name)).find(Boolean) })
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: drop target; the button beside it does the same by keyboard.
    <div
      className={`set-material ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        if (!may) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (may) void drop([...event.dataTransfer.files])
      }}
    >
      <div>
        <b>{row.name}</b>
        <div className="zg-2">{row.requiredBy}</div>
      </div>
      <div>
        <MaterialTag row={row} />
      </div>
      <div className="set-acts set-start">
        <FileLinks files={row.files} />
        {row.notNeeded && <span className="zg-2">{row.notNeeded}</span>}
        {row.sourceName && <span className="zg-2">{row.sourceName}</span>}
        {row.earlier.length > 0 && <span className="zg-2">{row.earlier.length} 个旧版本</span>}
      </div>
      <div>{row.validEnd && `至 ${row.validEnd}`}</div>
      <div className={row.state === materialStates.returned ? 'tone-danger' : 'zg-2'}>
        {row.opinion ? `意见：${row.opinion}` : row.updateTime && row.version > 0 ? `${row.updateBy} ${row.updateTime.slice(0, 10)}` : ''}
      </div>
      <div className="set-acts">
        {may && row.state !== materialStates.waiting && (
          <>
            <Button size="small" icon={<InboxOutlined />} onClick={() => onBring({ row, kind: 'files' })}>
              {row.files.length ? '替换' : '上传'}
            </Button>
            {row.files.length === 0 && (
              <Button size="small" type="link" onClick={() => onBring({ row, kind: 'notNeeded' })}>
                不适用
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  )
}

function BringDrawer({ projectCode, bringing, onClose }: { projectCode: string; bringing: Bringing; onClose: () => void }) {
  const { row, kind, files = [], validEnd } = bringing
  const act = useAct(bringMaterial, { success: '已保存，提交本阶段后进入审核' })
  const shown = useCall(listPapers, { query: { projectCode } }, { quiet: true, enabled: kind === 'files' })
  const papers = (shown.data?.list ?? []).map((one) => ({ value: one.id, label: `${one.corpName}：${one.name}（第 ${one.edition} 版）` }))
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title={kind === 'files' ? (row.files.length ? '替换资料' : '上传资料') : '不适用'}
      remark={row.name}
      initial={{ item: row.item, files, validEnd: validEnd ?? null, notNeeded: null, source: null, version: row.version }}
      input={(body) => ({ query: { projectCode }, body })}
      onClose={onClose}
    >
      {kind === 'files' ? (
        <>
          {papers.length > 0 && (
            <Field name="source" label="从企业资料选用" help="选用后附件和有效期取自企业资料，以后的新版本会提示更新">
              <Choice options={papers} />
            </Field>
          )}
          <Field
            name="files"
            label="附件"
            help={row.files.length ? '旧版本保留，可在审核页查看' : 'PDF 或图片，可将文件直接拖到清单上'}
            required
          >
            <Upload accept="image/*,.pdf" max={12} />
          </Field>
          <Field name="validEnd" label="有效期至" required={row.runsOut} help={validEnd ? '按文件名识别，请核对' : undefined}>
            <DayInput />
          </Field>
        </>
      ) : (
        <Field name="notNeeded" label="不适用的原因" required>
          <LongText rows={3} />
        </Field>
      )}
    </FormDrawer>
  )
}
