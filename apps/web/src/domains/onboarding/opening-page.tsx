import './onboarding.css'
import { DownloadOutlined, InboxOutlined } from '@ant-design/icons'
import { packages as packageCall } from '@zhugong/contract/apps/default-endpoints'
import { longestLinkDays, usualLinkDays } from '@zhugong/contract/onboarding/links'
import {
  bringOpening,
  listOpenings,
  mostOpeningRows,
  type OpeningKind,
  openingKinds,
  openingStateNames,
  openingTemplate,
} from '@zhugong/contract/onboarding/openings'
import { Button, Upload } from 'antd'
import { useState } from 'react'
import { callBlob, refresh, saveBlob, showFailure, upload, useCall } from '#kit/call.ts'
import { Card, Empty, Notice } from '#kit/feedback.tsx'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGroupType } from '#kit/me.ts'
import { useGo, usePageParam } from '#kit/page.tsx'
import { LinksTable } from './links-table.tsx'
import { OpeningView } from './opening-view.tsx'

const platform = 0
/** Types of group that have packages. */
const groupNames = { '1': '监管机构', '2': '企业', '3': '项目' } as const
type GroupKind = keyof typeof groupNames
const kindsOf: Readonly<Record<OpeningKind, readonly GroupKind[]>> = { district: ['1', '2', '3'], company: ['2', '3'], site: ['3'] }
const about: Readonly<Record<OpeningKind, string>> = {
  district: '新开一个区的监管机构，连同它监督的工地',
  company: '新开一家企业，连同它总包的工地',
  site: '为已有的机构和企业新开工地',
}

/** Creates a district, company or site: kind, apps, workbook, then an invitation link for each administrator. */
export default function OpeningPage() {
  const id = usePageParam('id')
  return (
    <PageShell remark="选类型与方案 → 填表 → 校验 → 开通 → 发邀请链接">
      <div className="onb-opening">
        {id ? <OpeningView id={id} /> : <Start />}
        <div className="onb-past">
          <Past current={id} />
          <LinksTable openingId={id} />
        </div>
      </div>
    </PageShell>
  )
}

function Start() {
  const isPlatform = useGroupType() === platform
  const kinds = isPlatform ? (Object.keys(openingKinds) as OpeningKind[]) : (['site'] as const)
  const [kind, setKind] = useState<OpeningKind>(isPlatform ? 'district' : 'site')
  const [chosen, setChosen] = useState<Partial<Record<GroupKind, string>>>({})
  const [days, setDays] = useState(usualLinkDays)
  const [busy, setBusy] = useState(false)
  const go = useGo()
  const bring = async (file: File) => {
    setBusy(true)
    try {
      const form = new FormData()
      form.append('kind', kind)
      form.append('linkDays', String(days))
      form.append('packages', JSON.stringify(Object.fromEntries(kindsOf[kind].flatMap((one) => (chosen[one] ? [[one, chosen[one]]] : [])))))
      form.append('file', file)
      const { id } = await upload(bringOpening, form)
      refresh(listOpenings)
      go('/projectOpening', { id })
    } catch (error) {
      showFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="onb-start">
      <Card title="1. 开通什么">
        <div className="onb-kinds" role="radiogroup" aria-label="开通类型">
          {kinds.map((one) => (
            <button
              key={one}
              type="button"
              role="radio"
              className="zg-bare onb-kind"
              aria-checked={kind === one}
              onClick={() => setKind(one)}
            >
              <b>{openingKinds[one]}</b>
              <span className="zg-2">{about[one]}</span>
            </button>
          ))}
        </div>
      </Card>
      <Card title="2. 应用方案与链接有效期" remark="不选方案的按各类机构的默认方案开通">
        <div className="onb-packages">
          {isPlatform &&
            kindsOf[kind].map((one) => (
              <PackageChoice key={one} kind={one} value={chosen[one]} onChange={(id) => setChosen({ ...chosen, [one]: id })} />
            ))}
          <div>
            <label htmlFor="onb-days">邀请链接有效天数</label>
            <NumberInput id="onb-days" min={1} max={longestLinkDays} value={days} onChange={(n) => setDays(n ?? usualLinkDays)} />
          </div>
        </div>
      </Card>
      <Card title="3. 填表并上传" remark={`一次最多 ${mostOpeningRows} 行；上传后先校验，确认前不开通`}>
        <div className="onb-bring">
          <Button
            icon={<DownloadOutlined />}
            onClick={() => void callBlob(openingTemplate, { query: { kind } }).then(saveBlob, showFailure)}
          >
            下载模板
          </Button>
          <Upload.Dragger
            accept=".xlsx"
            showUploadList={false}
            disabled={busy}
            beforeUpload={(file) => {
              void bring(file)
              return false
            }}
          >
            <InboxOutlined /> {busy ? '正在校验…' : '把填好的 .xlsx 拖到这里，或点击选择'}
          </Upload.Dragger>
        </div>
      </Card>
      {!isPlatform && <Notice tone="info">监管机构和企业由平台开通；这里为本机构辖区或本企业总包、建设的工地开通账号。</Notice>}
    </div>
  )
}

function PackageChoice({
  kind,
  value,
  onChange,
}: {
  kind: GroupKind
  value: string | undefined
  onChange: (id: string | undefined) => void
}) {
  const read = useCall(packageCall, { query: { groupType: kind } }, { quiet: true })
  const id = `onb-package-${kind}`
  return (
    <div>
      <label htmlFor={id}>{groupNames[kind]}方案</label>
      <Choice
        id={id}
        placeholder="默认方案"
        loading={read.isPending}
        value={value ?? null}
        options={(read.data?.list ?? []).map((one) => ({ value: one.id, label: `${one.name}（${one.apps.length} 个应用）` }))}
        onChange={onChange}
      />
    </div>
  )
}

function Past({ current }: { current: string }) {
  const go = useGo()
  const { data } = useCall(listOpenings, { query: { size: 20 } }, { quiet: true })
  return (
    <Card
      title="开通记录"
      actions={
        current && (
          <Button size="small" onClick={() => go('/projectOpening')}>
            新的开通
          </Button>
        )
      }
      flush
    >
      {data?.list.length === 0 && <Empty small text="还没有开通记录" />}
      <ul className="onb-records">
        {data?.list.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              className="zg-bare"
              aria-current={one.id === current}
              onClick={() => go('/projectOpening', { id: one.id })}
            >
              <b>{one.fileName}</b>
              <span className="zg-2">
                {openingKinds[one.kind]} · {one.createBy} {one.createTime.slice(5, 16)}
              </span>
              <span>
                {openingStateNames[one.state]}：{one.done}/{one.total}
                {one.faulty > 0 && <span className="tone-danger">，{one.faulty} 行有误</span>}
                {one.failed > 0 && <span className="tone-danger">，{one.failed} 行未成功</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
