import type { CertStockRow } from '@zhugong/contract/personnel/certificate-model'
import { certFigures, certList } from '@zhugong/contract/personnel/certificates'
import { auditStates } from '@zhugong/contract/personnel/codes'
import { auditCert, saveCert } from '@zhugong/contract/personnel/papers'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { daysLeft, ratioOf, thousands, time } from '#kit/format.ts'
import { laterDialog } from '#kit/later-dialog.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { CertCoverage } from './cert-coverage.tsx'
import { certWords } from './cert-words.ts'
import { useTeamOptions } from './team-options.ts'
import './personnel.css'

const CertDrawer = laterDialog(() => import('./cert-drawer.tsx').then((file) => file.CertDrawer))
const CertReview = laterDialog(() => import('./cert-review.tsx').then((file) => file.CertReview))

/** All certificates of a site, and whether required certificates are covered. */
export default function CertStockPage() {
  const scope = useProjectScope()
  const go = useGo()
  const tab = usePageQuery().get('tab') === 'coverage' ? 'coverage' : 'stock'
  const dicts = useDicts('workerType', 'certType', 'specialCertType', 'certStatus', 'auditStatus')
  const list = useListPage(certList, {
    scope,
    fixedQuery: { view: 'cert' },
    defaultSort: 'auditStatus',
    defaultFilters: { onSite: '1' },
    own: ['tab'],
  })
  const figures = useCall(certFigures, { query: scope }, { quiet: true, staleMs: 30_000 })
  const { corps, teams } = useTeamOptions(scope)
  const [reviewing, setReviewing] = useState<string>()
  const [editing, setEditing] = useState<CertStockRow>()
  const f = figures.data
  const many = scope.projectCode === '*'
  const waiting = list.rows.filter((r) => r.auditStatus === auditStates.waiting && !r.own)

  const columns: ColumnOf<typeof certList>[] = [
    {
      key: 'name',
      width: 80,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r) => <Link to={hrefOf('/personnelSystem/info/certificate', { id: r.workerId })}>{r.name}</Link>,
    },
    { key: 'workType', width: 96, filter: 'tree-cascader', tree: dicts.tree('workerType'), value: (r) => r.workTypeName },
    { key: 'teamId', width: 110, weak: true, filter: 'single', options: teams, value: (r) => r.teamName },
    { key: 'corpCode', width: 170, hidden: !many, filter: 'single', options: corps, value: (r) => r.corpName },
    { key: 'projectName', width: 170, hidden: !many, value: (r) => r.projectName },
    { key: 'title', width: 180, locked: true, filter: 'text', value: (r) => r.title },
    { key: 'certType', width: 120, weak: true, filter: 'tree-cascader', tree: dicts.tree('certType'), value: (r) => r.certTypeName },
    { key: 'specialType', width: 110, filter: 'tree-cascader', tree: dicts.tree('specialCertType'), value: (r) => r.specialTypeName },
    { key: 'level', width: 80, hidden: true, value: (r) => r.levelName },
    { key: 'certNo', width: 140, filter: 'text', value: (r) => <span className="zg-num">{r.certNo}</span> },
    { key: 'grantOrg', width: 170, hidden: true, filter: 'text', value: (r) => r.grantOrg },
    { key: 'issueDate', width: 100, hidden: true, sort: true, filter: 'date-range', value: (r) => r.issueDate },
    {
      key: 'validEnd',
      width: 150,
      sort: true,
      filter: 'date-range',
      value: (r) =>
        r.validEnd ? (
          <>
            {r.validEnd}{' '}
            {r.state === 'expired' || r.state === 'expiring' ? (
              <span className={r.state === 'expired' ? 'tone-danger' : 'tone-warning'}>{daysLeft(r.validEnd)}</span>
            ) : null}
          </>
        ) : (
          '长期'
        ),
    },
    {
      key: 'certStatus',
      width: 90,
      filter: 'multi',
      options: dicts.options('certStatus'),
      value: (r) => {
        const [word, tone] = certWords[r.state]
        return (
          <Tag tone={tone} icon={false}>
            {r.state === 'void' ? (r.auditStatus === auditStates.refused ? '已驳回' : (r.statusName ?? word)) : word}
          </Tag>
        )
      },
    },
    { key: 'auditStatus', width: 86, sort: true, filter: 'multi', options: dicts.options('auditStatus'), value: (r) => r.auditStatusName },
    {
      key: 'onSite',
      width: 72,
      filter: 'single',
      options: [
        { value: '1', label: '在场' },
        { value: '0', label: '已退场' },
      ],
      value: (r) => (r.onSite ? '在场' : <span className="zg-2">已退场</span>),
    },
    { key: 'createTime', width: 152, hidden: true, sort: true, filter: 'date-range', value: (r) => time(r.createTime) },
  ]

  return (
    <ListShell
      remark="一本证书一行；到期和缺证的办理在证书预警"
      titleActions={
        <>
          <Button onClick={() => go('/certificate/alarm')}>证书预警</Button>
          <Segmented<'stock' | 'coverage'>
            value={tab}
            onChange={(next) => go('/person/certificate', next === 'coverage' ? { tab: next } : {}, { replace: true })}
            options={[
              { value: 'stock', label: '证书台账' },
              { value: 'coverage', label: '配备核对' },
            ]}
          />
        </>
      }
      actions={
        tab === 'stock' && (
          <Can call={auditCert}>
            <Button type="primary" disabled={waiting.length === 0} onClick={() => setReviewing(waiting[0]?.id)}>
              逐本审核{waiting.length ? ` ${waiting.length} 本` : ''}
            </Button>
          </Can>
        )
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            { label: '在场人员证书', value: thousands(f?.total), unit: '本', href: '/person/certificate?onSite=1' },
            {
              label: '待审核',
              value: thousands(f?.waiting),
              unit: '本',
              tone: f?.waiting ? 'warning' : undefined,
              remark: '录入人不能审自己的',
              href: '/person/certificate?auditStatus=0&onSite=1',
            },
            {
              label: '证书合规率',
              value: f ? ratioOf(f.held, f.asked) : undefined,
              remark: f ? `特种工种 ${thousands(f.asked)} 人，持有效证 ${thousands(f.held)} 人` : undefined,
              tone: f && f.held < f.asked ? 'warning' : 'fine',
              href: '/person/certificate?tab=coverage',
            },
            {
              label: '无有效证的特种工种人员',
              value: f ? thousands(f.asked - f.held) : undefined,
              unit: '人',
              tone: f && f.held < f.asked ? 'danger' : undefined,
              remark: f && `缺证 ${f.lacking.missing}，已过期 ${f.lacking.expired}，待审核 ${f.lacking.pending}`,
              href: '/personList?missing=cert&stationed=1',
            },
          ]}
        />
      }
    >
      {tab === 'coverage' ? (
        <CertCoverage scope={scope} many={many} />
      ) : (
        <DataTable
          list={list}
          columns={columns}
          unit="本"
          search={{ key: 'name', placeholder: '姓名' }}
          onRow={(r) => go('/personnelSystem/info/certificate', { id: r.workerId })}
          actions={(r) => [
            r.auditStatus === auditStates.waiting && {
              label: '审核',
              needs: auditCert,
              disabled: r.own && '录入人不能审核自己录入的证书',
              onClick: () => setReviewing(r.id),
            },
            r.onSite && { label: '复审换证', needs: saveCert, onClick: () => setEditing(r) },
            { label: '本人证书', href: hrefOf('/personnelSystem/info/certificate', { id: r.workerId }) },
          ]}
        />
      )}
      {reviewing && <CertReview rows={waiting} first={reviewing} onClose={() => setReviewing(undefined)} />}
      {editing && (
        <CertDrawer workerId={editing.workerId} row={{ ...editing, name: editing.title }} onClose={() => setEditing(undefined)} />
      )}
    </ListShell>
  )
}
