import { PlusOutlined } from '@ant-design/icons'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import {
  bringPaper,
  type CompanyPaper,
  changePaper,
  linkPaper,
  listPapers,
  type PaperKind,
  paperKinds,
} from '@zhugong/contract/settings/company-papers'
import { materialItems } from '@zhugong/contract/settings/materials'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Notice, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, DayInput, Upload } from '#kit/inputs.tsx'
import { useCompanyCode } from '#kit/own-company.ts'
import { Thumb } from '#kit/viewers.tsx'
import { FileLinks } from './materials-parts.tsx'
import './settings.css'

const { Field } = formOf(bringPaper, changePaper, linkPaper)

const everywhere = { projectCode: '*' }
const kindOptions = Object.entries(paperKinds).map(([value, label]) => ({ value, label }))

type Open = { what: 'bring' } | { what: 'renew' | 'show' | 'link'; paper: CompanyPaper }

/** Documents of a company with their validity; uploaded once and linked to projects. */
export default function EnterpriseMaterialPage() {
  const corpCode = useCompanyCode()
  const read = useCall(
    listPapers,
    { query: { ...everywhere, corpCode } },
    { quiet: true, staleMs: 0, enabled: corpCode !== '', keepPrevious: true },
  )
  const [open, setOpen] = useState<Open>()
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  const { list, mayEdit } = read.data
  const count = (test: (paper: CompanyPaper) => boolean) => list.filter(test).length
  const due = count((paper) => paper.due !== null)
  const old = count((paper) => paper.uses.some((use) => use.old))
  const close = () => setOpen(undefined)
  return (
    <>
      <FigureStrip
        items={[
          { label: '资料', value: list.length, unit: '项' },
          { label: '将过期或已过期', value: due, unit: '项', tone: due ? 'warning' : undefined },
          { label: '参建项目可见', value: count((paper) => paper.toSites), unit: '项' },
          { label: '项目仍用旧版', value: old, unit: '项', tone: old ? 'warning' : undefined },
        ]}
      />
      <Card
        title="企业资料"
        remark="一处上传，项目资料从这里取用；资质在“企业资质”中"
        actions={
          mayEdit && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'bring' })}>
              新增资料
            </Button>
          )
        }
        flush
      >
        {list.length === 0 ? (
          <Empty text="还没有企业资料" hint={mayEdit ? '上传营业执照、保险单等，供各项目取用' : '企业尚未对本机构公开资料'} />
        ) : (
          <div className="set-tiles">
            {list.map((paper) => (
              <Tile key={paper.id} paper={paper} mayEdit={mayEdit} onOpen={(what) => setOpen({ what, paper })} />
            ))}
          </div>
        )}
      </Card>
      {open?.what === 'bring' && <BringDrawer onClose={close} />}
      {open?.what === 'renew' && <RenewDrawer paper={open.paper} onClose={close} />}
      {open?.what === 'show' && <ShowDrawer paper={open.paper} onClose={close} />}
      {open?.what === 'link' && <LinkDrawer paper={open.paper} onClose={close} />}
    </>
  )
}

const dueWords = { ended: '已过期', ending: '将过期' } as const

function Tile({ paper, mayEdit, onOpen }: { paper: CompanyPaper; mayEdit: boolean; onOpen: (what: 'renew' | 'show' | 'link') => void }) {
  const [past, setPast] = useState(false)
  const old = paper.uses.filter((use) => use.old).length
  const first = paper.files[0]
  return (
    <section className="set-tile" aria-label={paper.name}>
      <div className="set-tile-head">
        {first ? <Thumb src={first} name={paper.name} width={96} height={72} /> : <span className="blank">无附件</span>}
        <div>
          <h3>{paper.name}</h3>
          <div className="zg-2">{paper.kindName}</div>
          <div className="zg-2">{paper.number ?? '无编号'}</div>
        </div>
      </div>
      <div className="set-acts set-start">
        {paper.due ? (
          <Tag tone={paper.due === 'ended' ? 'danger' : 'warning'}>{dueWords[paper.due]}</Tag>
        ) : (
          <Tag tone="fine">{paper.validEnd ? '有效' : '长期'}</Tag>
        )}
        {paper.toSites && <Tag icon={false}>参建项目可见</Tag>}
        {paper.toBodies && <Tag icon={false}>监管可见</Tag>}
        {!paper.toSites && !paper.toBodies && <Tag icon={false}>仅本企业</Tag>}
      </div>
      <div className="zg-2">
        {paper.validEnd ? `至 ${paper.validEnd}，` : ''}第 {paper.edition} 版，{paper.updateBy} {paper.updateTime.slice(0, 10)}
      </div>
      <div className={old ? 'tone-warning' : 'zg-2'}>
        {paper.uses.length === 0 ? '尚未用于项目资料' : `用于 ${paper.uses.length} 份项目资料${old ? `，其中 ${old} 份是旧版` : ''}`}
      </div>
      {past && (
        <ul className="set-plain">
          {paper.earlier.map((one) => (
            <li key={one.edition} className="set-acts set-start">
              <span className="zg-2">
                第 {one.edition} 版 {one.at.slice(0, 10)} {one.byName}
              </span>
              <FileLinks files={one.files} />
            </li>
          ))}
          {paper.uses.map((use) => (
            <li key={`${use.projectCode}.${use.item}`}>
              {use.projectName}：{use.itemName}
              {use.old && <span className="tone-warning">（旧版）</span>}
            </li>
          ))}
        </ul>
      )}
      <div className="set-acts set-start">
        <FileLinks files={paper.files} />
        {(paper.earlier.length > 0 || paper.uses.length > 0) && (
          <Button size="small" type="link" aria-expanded={past} onClick={() => setPast(!past)}>
            {past ? '收起' : '版本与用处'}
          </Button>
        )}
        {mayEdit && (
          <>
            <Button size="small" onClick={() => onOpen('renew')}>
              新版本
            </Button>
            <Button size="small" onClick={() => onOpen('link')}>
              用于项目
            </Button>
            <Button size="small" onClick={() => onOpen('show')}>
              可见范围
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

const EditionFields = () => (
  <>
    <Field name="files" label="附件" required>
      <Upload accept="image/*,.pdf" max={12} />
    </Field>
    <Field name="number" label="编号">
      <Input />
    </Field>
    <Field name="validEnd" label="有效期至" help="长期有效可不填">
      <DayInput />
    </Field>
  </>
)

const ShownFields = () => (
  <>
    <Field name="toSites" valueName="checked">
      <Checkbox>本企业在场的项目可见，可取用到项目资料</Checkbox>
    </Field>
    <Field name="toBodies" valueName="checked">
      <Checkbox>监管机构可见</Checkbox>
    </Field>
  </>
)

function BringDrawer({ onClose }: { onClose: () => void }) {
  const act = useAct(bringPaper, { success: '资料已保存' })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="新增企业资料"
      initial={{ files: [], number: null, validEnd: null, toSites: true, toBodies: false }}
      input={(body) => ({ query: everywhere, body })}
      onClose={onClose}
    >
      <Field name="kind" label="类别" required>
        <Choice options={kindOptions} />
      </Field>
      <Field name="name" label="资料名称" required>
        <Input />
      </Field>
      <EditionFields />
      <ShownFields />
    </FormDrawer>
  )
}

interface OfPaper {
  paper: CompanyPaper
  onClose: () => void
}

function RenewDrawer({ paper, onClose }: OfPaper) {
  const act = useAct(changePaper, { success: '新版本已保存，用到它的项目资料会提示更新' })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="上传新版本"
      remark={paper.name}
      initial={{ action: 'renew', number: paper.number, files: [], validEnd: null, version: paper.version }}
      input={(body) => ({ params: { id: paper.id }, query: everywhere, body })}
      onClose={onClose}
    >
      <EditionFields />
    </FormDrawer>
  )
}

function ShowDrawer({ paper, onClose }: OfPaper) {
  const act = useAct(changePaper, { success: '可见范围已保存' })
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="可见范围"
      remark={paper.name}
      initial={{ action: 'show', toSites: paper.toSites, toBodies: paper.toBodies, version: paper.version }}
      input={(body) => ({ params: { id: paper.id }, query: everywhere, body })}
      onClose={onClose}
    >
      <ShownFields />
    </FormDrawer>
  )
}

/** Checklist items that match a kind of document; listed first. */
const meantFor: Partial<Record<PaperKind, readonly string[]>> = {
  insurance: ['injuryInsurance', 'liability'],
  rules: ['safetyDuty', 'emergency'],
}

function LinkDrawer({ paper, onClose }: OfPaper) {
  const act = useAct(linkPaper, {
    success: ({ linked, left }) =>
      `已放入 ${linked} 个项目的资料清单${left.length ? `，${left.length} 个未放入：${left.map((one) => `${one.projectName}（${one.why}）`).join('、')}` : ''}`,
  })
  const projects = useCall(pickProjects, { query: { page: 1, size: 100 } }, { quiet: true })
  const first = meantFor[paper.kind as PaperKind] ?? []
  const items = Object.entries(materialItems)
    .map(([value, { name }]) => ({ value, label: name }))
    .sort((a, b) => Number(first.includes(b.value)) - Number(first.includes(a.value)))
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="用于项目资料"
      remark={`${paper.name}，第 ${paper.edition} 版`}
      initial={{
        item: first[0],
        projectCodes: paper.uses.filter((use) => use.old).map((use) => use.projectCode),
      }}
      input={(body) => ({ params: { id: paper.id }, query: everywhere, body })}
      onClose={onClose}
    >
      <Notice tone="info">只放入未提交或被退回的项；待审和已接收的不动。放入后由项目部提交审核。</Notice>
      <Field name="item" label="资料项" required>
        <Choice options={items} />
      </Field>
      <Field name="projectCodes" label="项目" required>
        <Choices
          loading={!projects.data}
          options={(projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
        />
      </Field>
    </FormDrawer>
  )
}
