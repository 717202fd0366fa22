import { type FireDetail, verifyFireDraw } from '@zhugong/contract/fire/calls'
import { partKinds } from '@zhugong/contract/fire/moves'
import { buildingUses } from '@zhugong/contract/fire/place-rules'
import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, Notice, Pairs } from '#kit/feedback.tsx'
import { Papers } from '#kit/papers.tsx'
import { anyProject, LevelTag, VerdictTag } from './fire-words.tsx'

export function Applied({ file }: { file: FireDetail }) {
  const dicts = useDicts('fireRating', 'fireDanger', 'fireUseProperty', 'structureType', 'firePlace')
  return (
    <>
      {file.noAcceptName && (
        <Notice tone="danger">
          不予受理（{file.noAcceptName}）：{file.noAcceptNote}
        </Notice>
      )}
      {file.paused && <Notice tone="warning">申请人正在补正材料，办理时限停计：{file.pauses.at(-1)?.reason}</Notice>}
      <Card title="基本">
        <Pairs
          items={[
            { label: '业务类型', value: file.kindName },
            { label: '申请类别', value: file.applyTypeName },
            { label: '受理机构', value: file.authorityName },
            { label: '联系人', value: `${file.contact} ${file.tel}` },
            { label: '局部验收', value: file.isPart ? '是' : '否' },
            { label: '重点场所', value: file.firePlaceNames.join('；'), wide: true },
          ]}
        />
      </Card>
      <Card title="设计审查与许可">
        <Pairs
          items={[
            { label: '审查意见书文号', value: file.designReviewNo },
            { label: '审查日期', value: file.designReviewDate },
            { label: '施工许可证号', value: file.licenseNo },
          ]}
        />
      </Card>
      <Card title="单体" remark={`${file.buildRows.length} 个`}>
        <ul className="fire-builds">
          {file.buildRows.map((one) => (
            <li key={one.id}>
              <b>{one.name}</b>
              <span>{buildingUses[one.use]}</span>
              <span className="zg-2">
                {[
                  dicts.name('structureType', one.structureType),
                  `耐火等级 ${dicts.name('fireRating', one.fireRating)}`,
                  `火灾危险性 ${dicts.name('fireDanger', one.danger)}`,
                  dicts.name('fireUseProperty', one.useProperty),
                  `地上 ${one.floorsUp} 层 ${one.areaUp} ㎡`,
                  `地下 ${one.floorsDown} 层 ${one.areaDown} ㎡`,
                  `高 ${one.height} m`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <span className="zg-2">
                {one.placeNames.join('；')} → {one.projects.length} 个项目
              </span>
            </li>
          ))}
        </ul>
      </Card>
      {Object.entries(partKinds).map(([kind, title]) => {
        const rows = file.parts.filter((one) => one.kind === kind)
        return rows.length === 0 ? null : (
          <Card key={kind} title={title}>
            <ul className="fire-builds">
              {rows.map((one) => (
                <li key={`${one.place}${one.content}`}>
                  <b>{one.place}</b>
                  <span>{[one.floor, one.content, one.amount, one.grade && `燃烧性能 ${one.grade}`].filter(Boolean).join(' · ')}</span>
                </li>
              ))}
            </ul>
          </Card>
        )
      })}
      {file.pauses.length > 0 && (
        <Card title="补正停计" remark={`共 ${file.pausedDays} 个工作日`}>
          <ul className="fire-builds">
            {file.pauses.map((one) => (
              <li key={one.from}>
                <span className="zg-num">
                  {one.from} 至 {one.to ?? '今'}
                </span>
                <span>{one.reason}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {file.drawing && <Drawing drawing={file.drawing} internal={file.internal} />}
    </>
  )
}

function Drawing({ drawing, internal }: { drawing: NonNullable<FireDetail['drawing']>; internal: boolean }) {
  const [asked, setAsked] = useState(false)
  const check = useCall(verifyFireDraw, { params: { id: drawing.id }, query: anyProject }, { enabled: asked })
  return (
    <Card
      title="随机抽取"
      actions={
        internal && (
          <Button size="small" loading={check.isFetching} onClick={() => setAsked(true)}>
            复核
          </Button>
        )
      }
    >
      <Pairs
        items={[
          { label: '比例', value: `${drawing.ratio}%` },
          { label: '抽取', value: `${drawing.candidates} 件中抽 ${drawing.drawn} 件` },
          { label: '时间', value: `${drawing.drawnAt.slice(0, 16)} ${drawing.drawnName}` },
          { label: '名单摘要', value: <code>{drawing.listHash.slice(0, 32)}</code>, wide: true },
        ]}
      />
      {check.data && (
        <Notice tone={check.data.agrees ? 'info' : 'danger'}>
          {check.data.agrees ? '按留存的名单和种子重算，结果一致。' : '按留存的名单和种子重算，结果不一致。'}种子{' '}
          {check.data.file.seed?.slice(0, 32)}…
        </Notice>
      )}
    </Card>
  )
}

export function Problems({ file }: { file: FireDetail }) {
  if (file.problems.length === 0)
    return (
      <Card title="问题">
        <Empty small text={file.internal ? '没有不符合项' : '评定结果在意见书签发后公布'} />
      </Card>
    )
  return (
    <Card title="问题" remark={`${file.problems.length} 处`}>
      <ul className="fire-problems">
        {file.problems.map((one) => (
          <li key={one.pointId} className={one.round < file.round ? 'fire-past' : undefined}>
            <p>
              <LevelTag level={one.level} /> <b>{one.buildName}</b> {one.subName} › {one.itemCode} {one.itemName}
              <span className="zg-2">
                　{one.checkPart}　第 {one.round} 轮
              </span>
            </p>
            <p>{one.description}</p>
            <p className="zg-2">{one.failing ? '子项不合格，整改后申请复评' : '不影响子项结论，应当整改'}</p>
            {one.photos.length > 0 && <Papers files={one.photos} name="不符合" />}
            {one.proof && (
              <Notice tone="info">
                整改（{one.proof.at.slice(0, 16)}）：{one.proof.note}
                <Papers files={one.proof.files} name="整改" />
              </Notice>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function Result({ file }: { file: FireDetail }) {
  const judged = file.buildRows.filter((one) => one.judged !== null)
  return (
    <>
      {file.rounds.length === 0 && (
        <Card title="结论">
          <Empty small text={file.internal ? '评定开始后，结论随要点推定' : '评定结果在意见书签发后公布'} />
        </Card>
      )}
      {file.rounds.toReversed().map((one) => (
        <Card
          key={one.round}
          title={`第 ${one.round} 轮`}
          remark={one.issuedAt ? `${one.issuedAt.slice(0, 16)} ${one.issuedBy} 签发` : '尚未签发，为推定结论'}
          className={one.round < file.round ? 'fire-past' : ''}
        >
          <p>
            <VerdictTag verdict={one.verdict} /> {one.line}
            {one.causes.length > 0 && <span className="zg-2">：{one.causes.join('、')}</span>}
          </p>
          {one.docNo && <p className="zg-num">{one.docNo}</p>}
          {one.opinion && <p>{one.opinion}</p>}
          {one.remark && <Notice tone="warning">不同意见（不影响结论）：{one.remark}</Notice>}
        </Card>
      ))}
      {judged.length > 0 && (
        <Card title="项目与单体" remark="不涉及不参与判定">
          <ul className="fire-matrix">
            {judged.map((build) => (
              <li key={build.id}>
                <b>{build.name}</b>
                <span>
                  {build.judged && <VerdictTag verdict={build.judged.verdict} />} {build.judged?.subsDone} / {build.judged?.subsTotal} 子项
                </span>
                <ul>
                  {build.judged?.projects.map((one) => (
                    <li key={one.code}>
                      <span>{one.name}</span> <VerdictTag verdict={one.verdict} />
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}
