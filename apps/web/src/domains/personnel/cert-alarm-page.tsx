import type { CertDueRow } from '@zhugong/contract/personnel/certificate-model'
import { certDueList, certFigures, ignoreCerts, remindCerts } from '@zhugong/contract/personnel/certificates'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { auditCert, saveCert } from '@zhugong/contract/personnel/papers'
import { setFormal } from '@zhugong/contract/personnel/workers'
import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { laterDialog } from '#kit/later-dialog.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { certDueColumns } from './cert-due-columns.tsx'
import { useTeamOptions } from './team-options.ts'
import { useCertActs } from './use-cert-acts.ts'
import { WeeksAhead } from './weeks-ahead.tsx'
import './personnel.css'

const CertDrawer = laterDialog(() => import('./cert-drawer.tsx').then((file) => file.CertDrawer))

/** Certificates of people on site that expire soon or have expired, and missing ones. */
export default function CertAlarmPage() {
  const scope = useProjectScope()
  const go = useGo()
  const dicts = useDicts('workerType', 'certType')
  const list = useListPage(certDueList, { scope, fixedQuery: { view: 'certAlarm' } })
  const figures = useCall(certFigures, { query: scope }, { quiet: true, staleMs: 30_000 })
  const { corps, teams } = useTeamOptions(scope)
  const [renewing, setRenewing] = useState<CertDueRow>()
  const acts = useCertActs()
  const f = figures.data
  const many = scope.projectCode === '*'

  const columns = certDueColumns({ workTypes: dicts.tree('workerType'), corps, teams, many })

  return (
    <ListShell
      remark="在场人员的证书、身份证件，到期前 90 天起"
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            {
              label: '已过期仍在场',
              value: thousands(f?.expired),
              unit: '项',
              tone: f?.expired ? 'danger' : undefined,
              remark: f?.expiredPassed ? `${f.expiredPassed} 项的本人昨日以来过闸` : f ? '昨日以来无人过闸' : undefined,
              remarkTone: f?.expiredPassed ? 'danger' : undefined,
              href: '/certificate/alarm?urgency=expired',
            },
            {
              label: '特种工种缺证',
              value: thousands(f?.missing),
              unit: '人',
              tone: f?.missing ? 'danger' : undefined,
              remark: f?.firstInReview ? `另有 ${f.firstInReview} 人的证书待审核` : undefined,
              href: '/certificate/alarm?urgency=missing&dueState=open,reminded',
            },
            {
              label: '30 日内到期',
              value: thousands(f?.within30),
              unit: '项',
              tone: f?.within30 ? 'warning' : undefined,
              remark: '含非必需证书与身份证件',
              href: '/certificate/alarm?urgency=30',
            },
            {
              label: '90 日内到期',
              value: f ? thousands(f.within30 + f.within60 + f.within90) : undefined,
              unit: '项',
              remark: f?.review ? `新证待审 ${f.review}` : undefined,
              href: '/certificate/alarm?urgency=30,60,90',
            },
            {
              label: '已忽略',
              value: thousands(f?.ignored),
              unit: '项',
              href: '/certificate/alarm?dueState=ignored',
            },
          ]}
        />
      }
      above={
        <WeeksAhead weeks={f?.weeks ?? []} onWeek={({ from, to }) => list.setFilters({ validEnd: `${from},${to}`, urgency: undefined })} />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="项"
        search={{ key: 'name', placeholder: '姓名' }}
        emptyHint="90 天内没有到期的证书，也没有缺证的特种工种"
        rowClass={(r) => (r.urgency === 'expired' && r.attendEnabled ? 'per-due-row' : '')}
        onRow={(r) => go('/personnelSystem/info/certificate', { id: r.workerId })}
        actions={(r) => [
          // A certificate waiting for review needs the review, not another upload.
          r.state === 'review' && {
            label: '审核',
            needs: auditCert,
            href: hrefOf('/personnelSystem/info/certificate', { id: r.workerId, projectCode: r.projectCode }),
          },
          r.kind !== 'idCard' &&
            r.state !== 'review' && { label: r.certId ? '上传新证' : '补录证书', needs: saveCert, onClick: () => setRenewing(r) },
          r.kind === 'idCard' && { label: '更新证件', href: hrefOf('/personListEdit', { id: r.workerId }), needs: saveCert },
          r.state !== 'ignored' && { label: '提醒', needs: remindCerts, onClick: () => void acts.remind([r]) },
          r.formalStatus === formalStates.formal && {
            label: '暂停作业',
            danger: true,
            needs: setFormal,
            onClick: () => void acts.pause([r]),
          },
          { label: '人员详情', href: hrefOf('/personListDetails', { id: r.projectWorkerId, workerId: r.workerId }) },
          r.state !== 'ignored' && { label: '忽略', needs: ignoreCerts, onClick: () => void acts.ignore([r]) },
        ]}
        selection={{
          unit: '项',
          actions: (rows, clear) => (
            <>
              <Can call={remindCerts}>
                <Button loading={acts.reminding} onClick={() => void acts.remind(rows, clear)}>
                  提醒经办人
                </Button>
              </Can>
              <Can call={ignoreCerts}>
                <Button onClick={() => void acts.ignore(rows, clear)}>忽略</Button>
              </Can>
              <Can call={setFormal}>
                <Button danger loading={acts.pausing} onClick={() => void acts.pause(rows, clear)}>
                  暂停作业
                </Button>
              </Can>
            </>
          ),
        }}
      />
      {renewing && (
        <CertDrawer
          workerId={renewing.workerId}
          row={{
            certType: renewing.certType || undefined,
            specialType: renewing.specialType || undefined,
            name: renewing.title,
          }}
          onClose={() => setRenewing(undefined)}
        />
      )}
    </ListShell>
  )
}
