import { EditOutlined, PlusOutlined } from '@ant-design/icons'
import { type Building, type BuildingUse, buildingUses, placesOf } from '@zhugong/contract/fire/place-rules'
import { changeFirePlace, type FirePlaceRow, firePlaceList, listFirePlaces } from '@zhugong/contract/fire/settings'
import { Button, Checkbox, Input, Segmented } from 'antd'
import { useId, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, NumberInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { anyProject } from './fire-words.tsx'
import './fire.css'

const { Field } = formOf(changeFirePlace)
const allPlaces = { ...anyProject, page: 1, size: 100 }
const views = [
  { value: 'list', label: '场所' },
  { value: 'matrix', label: '场所与项目' },
]

/** Is this building a 特殊建设工程, and which tables does it get? */
export default function FirePlacePage() {
  const list = useListPage(firePlaceList, { scope: anyProject })
  const all = useCall(listFirePlaces, { query: allPlaces }, { quiet: true, keepPrevious: true })
  const [view, setView] = useState('list')
  const [editing, setEditing] = useState<FirePlaceRow | 'new'>()
  const rows = all.data?.list ?? []
  const projects = all.data?.projectNames ?? []
  return (
    <ListShell
      above={<TestBox rows={rows} />}
      actions={
        <>
          <Segmented options={views} value={view} onChange={setView} />
          <Can call={changeFirePlace}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
              增加本地场所
            </Button>
          </Can>
        </>
      }
    >
      {view === 'matrix' ? (
        <Card title="各场所默认检查的项目">
          <Matrix rows={rows} projects={projects} onEdit={setEditing} />
        </Card>
      ) : (
        <DataTable
          list={list}
          columns={columns}
          rowKey="code"
          unit="类"
          search={{ key: 'name', placeholder: '场所名称' }}
          emptyHint="场所决定工程是否为特殊建设工程，以及默认检查的项目"
          actions={(row) => [{ label: '修改', needs: changeFirePlace, onClick: () => setEditing(row) }]}
        />
      )}
      {editing && (
        <PlaceDrawer row={editing === 'new' ? undefined : editing} rows={rows} projects={projects} onClose={() => setEditing(undefined)} />
      )}
    </ListShell>
  )
}

/** Tries a building with the thresholds as they are. */
function TestBox({ rows }: { rows: readonly FirePlaceRow[] }) {
  const key = useId()
  const [b, setB] = useState<Building>({ use: 'mall', area: 12_000, height: 24, floorsUp: 5 })
  const found = placesOf(rows, b)
  const put = (more: Partial<Building>) => setB({ ...b, ...more })
  return (
    <Card title="试算" remark="与申请时的判定相同">
      <div className="fire-test">
        <span>
          <label className="zg-label" htmlFor={`${key}-use`}>
            用途
          </label>
          <Choice id={`${key}-use`} clear={false} value={b.use} options={useOptions} onChange={(use) => put({ use: use as BuildingUse })} />
        </span>
        <span>
          <label className="zg-label" htmlFor={`${key}-area`}>
            建筑面积
          </label>
          <NumberInput id={`${key}-area`} unit="㎡" min={0} value={b.area} onChange={(n) => put({ area: n ?? 0 })} />
        </span>
        <span>
          <label className="zg-label" htmlFor={`${key}-height`}>
            高度
          </label>
          <NumberInput id={`${key}-height`} unit="m" min={0} value={b.height} onChange={(n) => put({ height: n ?? 0 })} />
        </span>
        <span>
          <label className="zg-label" htmlFor={`${key}-floors`}>
            地上层数
          </label>
          <NumberInput
            id={`${key}-floors`}
            unit="层"
            min={0}
            precision={0}
            value={b.floorsUp}
            onChange={(n) => put({ floorsUp: n ?? 0 })}
          />
        </span>
      </div>
      <p>
        属于 <b>{found.places.join('、')}</b> →{' '}
        <Tag tone={found.special ? 'warning' : 'neutral'}>{found.special ? '特殊建设工程' : '其他建设工程'}</Tag> →{' '}
        <b>{found.projects.length}</b> 个项目
      </p>
    </Card>
  )
}
const useOptions = Object.entries(buildingUses).map(([value, label]) => ({ value, label }))

interface MatrixProps {
  rows: readonly FirePlaceRow[]
  projects: readonly { code: string; name: string }[]
  onEdit: (row: FirePlaceRow) => void
}
function Matrix({ rows, projects, onEdit }: MatrixProps) {
  const may = useCan(changeFirePlace)
  const act = useAct(changeFirePlace, { success: '已保存' })
  const turn = (row: FirePlaceRow, code: string, on: boolean) => {
    const { name, uses, areaOver, heightOver, within, special, enable, version } = row
    const chosen = on ? [...row.projects, code] : row.projects.filter((one) => one !== code)
    return act.run({
      query: anyProject,
      body: { code: row.code, version, name, uses, areaOver, heightOver, within, special, enable, projects: chosen },
    })
  }
  return (
    <div className="fire-scroll">
      <table className="fire-places">
        <thead>
          <tr>
            <th scope="col">场所</th>
            {projects.map((one) => (
              <th key={one.code} scope="col">
                <span>{one.name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.code}>
              <th scope="row">
                {row.code} {row.name}{' '}
                {may && (
                  <button type="button" className="zg-bare zg-link" aria-label={`修改 ${row.name}`} onClick={() => onEdit(row)}>
                    <EditOutlined />
                  </button>
                )}
              </th>
              {projects.map((one) => (
                <td key={one.code}>
                  <Checkbox
                    aria-label={`${row.name} ${one.name}`}
                    checked={row.projects.includes(one.code)}
                    disabled={!may || act.running || (row.projects.length === 1 && row.projects.includes(one.code))}
                    onChange={(event) => void turn(row, one.code, event.target.checked)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PlaceDrawerProps extends Omit<MatrixProps, 'onEdit'> {
  row: FirePlaceRow | undefined
  onClose: () => void
}
function PlaceDrawer({ row, rows, projects, onClose }: PlaceDrawerProps) {
  const act = useAct(changeFirePlace, { success: '已保存' })
  const version = row?.version ?? -1
  return (
    <FormDrawer
      act={act}
      open
      title={row ? '修改场所' : '增加本地场所'}
      remark={row && `${row.code} ${row.name}`}
      onClose={onClose}
      initial={
        row
          ? {
              code: row.code,
              version,
              name: row.name,
              uses: row.uses,
              areaOver: row.areaOver,
              heightOver: row.heightOver,
              within: row.within,
              special: row.special,
              projects: row.projects,
              enable: row.enable,
            }
          : { version, uses: [], within: [], special: true, enable: true, projects: [] }
      }
      input={(body) => ({ query: anyProject, body: { ...body, version } })}
    >
      {row === undefined && (
        <Field name="code" label="编码" help="两位数字，例如 21">
          <Input maxLength={2} />
        </Field>
      )}
      <Field name="name" label="名称" span="all">
        <Input />
      </Field>
      <Field name="uses" label="用途" span="all">
        <Choices options={useOptions} />
      </Field>
      <Field name="areaOver" label="建筑面积大于" help="不填为不限">
        <NumberInput unit="㎡" min={0} />
      </Field>
      <Field name="heightOver" label="高度大于" help="与面积任一超过即属于">
        <NumberInput unit="m" min={0} />
      </Field>
      <Field name="within" label="设有以下场所也属于" span="all">
        <Choices
          options={rows.filter((one) => one.code !== row?.code).map((one) => ({ value: one.code, label: `${one.code} ${one.name}` }))}
        />
      </Field>
      <Field name="projects" label="默认检查的项目" span="all">
        <Choices options={projects.map((one) => ({ value: one.code, label: one.name }))} />
      </Field>
      <Field name="special" label="特殊建设工程" valueName="checked">
        <Checkbox>属于</Checkbox>
      </Field>
      <Field name="enable" label="启用" valueName="checked">
        <Checkbox>启用</Checkbox>
      </Field>
    </FormDrawer>
  )
}

const columns: ColumnOf<typeof firePlaceList>[] = [
  { key: 'code', width: 70, locked: true, value: (r) => <span className="zg-num">{r.code}</span> },
  {
    key: 'name',
    width: 260,
    wrap: true,
    value: (r) => (
      <>
        {r.name} {r.local && <Tag>本地</Tag>} {!r.local && r.changed && <Tag tone="warning">已改</Tag>}
      </>
    ),
  },
  { key: 'condition', width: 300, wrap: true, value: (r) => r.condition },
  { key: 'special', width: 120, keeps: true, value: (r) => <Tag tone={r.special ? 'warning' : 'neutral'}>{r.special ? '是' : '否'}</Tag> },
  { key: 'projects', width: 100, align: 'right', value: (r) => <span className="zg-num">{r.projects.length} 个</span> },
  { key: 'cases', width: 90, align: 'right', value: (r) => <span className="zg-num">{r.cases}</span> },
  { key: 'enable', width: 84, keeps: true, value: (r) => <Tag tone={r.enable ? 'fine' : 'neutral'}>{r.enable ? '启用' : '停用'}</Tag> },
]
