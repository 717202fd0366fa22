import { runHouseSync, type SyncOutcome } from '@zhugong/contract/houses/houses'
import { Button, Input, Segmented, Upload } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Card, Notice } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice } from '#kit/inputs.tsx'
import { usePlaces } from '../places/public.tsx'

const columns = ['externalNo', 'building', 'unit', 'floor', 'name', 'houseType', 'businessType', 'buildArea'] as const
type Row = Record<(typeof columns)[number], string>
const heads: Readonly<Record<(typeof columns)[number], string>> = {
  externalNo: '外部编号',
  building: '楼栋',
  unit: '单元',
  floor: '楼层',
  name: '房号',
  houseType: '户型',
  businessType: '业态',
  buildArea: '建筑面积',
}

/** Lines of a table as copied from Excel, or of a CSV file; a heading line names the columns, otherwise they come in their order. */
function rowsOf(text: string): Row[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const cells = lines.map((line) => line.split(line.includes('\t') ? '\t' : ',').map((one) => one.trim().replace(/^"|"$/g, '')))
  const head = cells[0] ?? []
  const named = columns.some((key) => head.includes(heads[key]))
  const at = (key: (typeof columns)[number], i: number) => (named ? head.indexOf(heads[key]) : i)
  return cells.slice(named ? 1 : 0).map((line) => Object.fromEntries(columns.map((key, i) => [key, line[at(key, i)] ?? ''])) as Row)
}

/** A sync with its dry run: what would be added, changed and missing is shown before anything is written. */
export function SyncSheet({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const [source, setSource] = useState<'file' | 'places'>('file')
  const [text, setText] = useState('')
  const [building, setBuilding] = useState<string>()
  const [outcome, setOutcome] = useState<SyncOutcome>()
  const places = usePlaces(projectCode)
  const given = () => ({ source, rows: source === 'file' ? rowsOf(text) : [], building: source === 'places' ? building : undefined })
  const preview = useAct(runHouseSync, { success: false, onDone: ({ sync }) => setOutcome(sync ?? undefined) })
  const apply = useAct(runHouseSync, {
    success: ({ sync }) =>
      `已同步：新增 ${sync?.added.length ?? 0}，变更 ${sync?.changed.length ?? 0}${sync?.failures.length ? `，失败 ${sync.failures.length} 行` : ''}`,
    onDone: onClose,
  })
  const errors = { ...preview.fieldErrors, ...apply.fieldErrors }
  const query = { projectCode }
  const reset = () => setOutcome(undefined)
  return (
    <FormSheet
      title="同步房屋"
      remark={outcome ? '确认后写入' : '先试算，不写入任何数据'}
      saveText={outcome ? '写入' : '试算'}
      saving={preview.running || apply.running}
      onSave={() =>
        outcome
          ? apply.run({ query, body: { action: 'apply', ...given() } }, { fieldsShown: true })
          : preview.run({ query, body: { action: 'preview', ...given() } }, { fieldsShown: true })
      }
      onClose={onClose}
      errors={errors}
      dirty={text !== ''}
    >
      <div className="houses-form">
        <Segmented
          options={[
            { value: 'file', label: '文件或表格' },
            { value: 'places', label: '按部位树生成' },
          ]}
          value={source}
          onChange={(next) => {
            setSource(next as 'file' | 'places')
            reset()
          }}
        />
        {source === 'file' ? (
          <>
            <label className="zg-label" htmlFor="house-rows">
              从 Excel 复制粘贴，或选择 CSV 文件。列：{columns.map((key) => heads[key]).join('、')}
            </label>
            <Input.TextArea
              id="house-rows"
              rows={8}
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                reset()
              }}
            />
            <Upload
              accept=".csv,.txt"
              showUploadList={false}
              beforeUpload={(file) => {
                void file.text().then((content) => {
                  setText(content)
                  reset()
                })
                return false
              }}
            >
              <Button>选择 CSV 文件</Button>
            </Upload>
          </>
        ) : (
          <>
            <label className="zg-label" htmlFor="house-building">
              楼栋（楼梯、管井等不计入）
            </label>
            <Choice
              id="house-building"
              clear={false}
              value={building}
              options={(places?.tree ?? []).filter((one) => one.kind === 'building').map((one) => ({ value: one.id, label: one.name }))}
              onChange={(next) => {
                setBuilding(next)
                reset()
              }}
            />
          </>
        )}
        {Object.values(errors)[0] && <p className="tone-danger">{Object.values(errors)[0]}</p>}
        {outcome && <Outcome outcome={outcome} />}
      </div>
    </FormSheet>
  )
}

function Outcome({ outcome }: { outcome: SyncOutcome }) {
  const { added, changed, missing, unchanged, failures } = outcome
  return (
    <>
      <Notice tone={failures.length > 0 ? 'warning' : 'fine'}>
        新增 {added.length}，变更 {changed.length}，来源已无 {missing.length}，不变 {unchanged}，失败 {failures.length} 行
        {failures.length > 0 ? '；失败的行改好后可再次同步' : ''}
      </Notice>
      {failures.length > 0 && (
        <Card title="失败的行">
          <ul className="houses-failures">
            {failures.map((one) => (
              <li key={one.row}>
                第 {one.row} 行 {one.externalNo}：<span className="tone-danger">{one.reason}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {changed.length > 0 && (
        <Card title="变更">
          <ul className="houses-failures">
            {changed.map((one) => (
              <li key={one.name}>
                {one.name}：{one.what.join('，')}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {missing.length > 0 && (
        <Card title="来源已无" remark="已有验收数据的保留并标出，其余移除">
          <ul className="houses-failures">
            {missing.map((one) => (
              <li key={one.name}>
                {one.name}：{one.kept ? '保留，标为来源已无' : '移除'}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {added.length > 0 && (
        <Card title="新增">
          <p className="zg-2">{added.join('、')}</p>
        </Card>
      )}
    </>
  )
}
