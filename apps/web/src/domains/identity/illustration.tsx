/** Drawing of a construction site on the left of the login page; it has no real data. */

const blue = '#1A4BAA'
const pale = '#9DB6E0'

/** Zigzag between two parallel rails: the lattice of masts and jibs. */
function lattice(from: number, to: number, step: number, a: number, b: number, upright: boolean): string {
  const points: string[] = []
  for (let at = from, side = 0; at <= to; at += step, side ^= 1) points.push(upright ? `${side ? b : a} ${at}` : `${at} ${side ? b : a}`)
  return `M${points.join('L')}`
}

function City() {
  const blocks: [x: number, y: number, w: number, tone: string, windows: boolean][] = [
    [20, 560, 62, '#B9CDEE', false],
    [72, 520, 40, '#B4C9EC', false],
    [118, 584, 60, '#B9CDEE', false],
    [196, 546, 34, '#BFD1EF', false],
    [44, 600, 74, '#9DB8E3', true],
    [128, 640, 66, '#9DB8E3', true],
    [590, 566, 44, '#BDD0EF', false],
    [640, 596, 60, '#B6CAEC', false],
    [708, 540, 38, '#B4C9EC', false],
    [812, 530, 44, '#BDD0EF', false],
    [860, 590, 40, '#B4C9EC', false],
    [742, 586, 84, '#9DB8E3', true],
    [832, 634, 68, '#94B0DE', false],
  ]
  return (
    <g>
      {blocks.map(([x, y, w, tone, windows]) => (
        <g key={`${x}-${y}`}>
          <path d={`M${x} ${y}h${w}v${786 - y}h${-w}z`} fill={tone} />
          {windows &&
            Array.from({ length: 7 * 4 }, (_, i) => {
              const wx = x + 10 + (i % 4) * ((w - 14) / 4)
              const wy = y + 14 + Math.floor(i / 4) * 22
              return wy < 760 ? <path key={i} d={`M${wx} ${wy}h8v10h-8z`} fill="#DCE8FA" opacity=".8" /> : null
            })}
        </g>
      ))}
    </g>
  )
}

function Crane() {
  return (
    <g stroke={blue} fill="none" strokeWidth="2">
      <path d="M242 250V786M262 250V786" strokeWidth="2.6" />
      <path d={lattice(252, 786, 20, 242, 262, true)} strokeWidth="1.6" />
      <path d="M252 238H613M258 250H613" strokeWidth="2.4" />
      <path d={lattice(262, 612, 12, 250, 238, false)} strokeWidth="1.5" />
      <path d="M252 238V190L160 242M252 190L512 240" />
      <path d="M148 241h104v6H148zM148 244h22v28h-22zM260 250h20v24h-20z" fill={blue} stroke="none" />
      <path d="M471 244h14v6h-14z" fill={blue} stroke="none" />
      <path d="M478 250v47l-24 17M478 297l22 17" strokeWidth="1.6" />
      <path d="M446 314h64v12h-64z" fill="#F5A623" stroke="none" />
      <path d="M452 318h52M452 322h52" stroke="#C77F0A" strokeWidth="1.2" />
      <g stroke={pale} strokeWidth="1.6">
        <path d="M684 372V700M697 372V700M480 362H690M484 370H690" />
        <path d={lattice(374, 700, 16, 684, 697, true)} strokeWidth="1.1" />
        <path d={lattice(482, 690, 10, 370, 362, false)} strokeWidth="1" />
        <path d="M690 362V333L538 362M690 333L748 364" />
        <path d="M690 364h66v4h-66zM742 366h14v18h-14zM672 372h13v16h-13z" fill={pale} stroke="none" />
        <path d="M562 370v92" strokeWidth="1.2" />
      </g>
    </g>
  )
}

function Building() {
  const lit = new Set([6, 8, 17, 26, 28, 34])
  return (
    <g>
      <path d="M318 575h236v211H318z" fill="#7FA3E3" />
      {Array.from({ length: 35 }, (_, i) => (
        <path
          key={i}
          d={`M${328 + (i % 7) * 32} ${582 + Math.floor(i / 7) * 38}h18v21h-18z`}
          fill={lit.has(i) ? '#FCE3A6' : '#D3E2F8'}
          opacity=".9"
        />
      ))}
      {[570, 608, 646, 684, 722].map((y) => (
        <path key={y} d={`M314 ${y + 37}h244v6H314z`} fill="#EEF4FD" />
      ))}
      <path d="M322 426h228v144H322z" fill="#C5D7F3" opacity=".8" />
      {[322, 362, 404, 446, 488, 530].map((x) => (
        <path key={x} d={`M${x} 420h7v150h-7z`} fill="#4670BC" />
      ))}
      {[418, 456, 494, 532].map((y) => (
        <path key={y} d={`M312 ${y}h248v8H312z`} fill="#3F69B5" />
      ))}
      {Array.from({ length: 12 }, (_, i) => (
        <path key={i} d={`M${328 + i * 19} ${396 + (i % 3) * 4}v22`} stroke="#5E83C6" strokeWidth="1.6" />
      ))}
      <path d="M304 398h26v172h-26zM545 438h23v132h-23z" fill="#6FAE8B" opacity=".55" />
      <path
        d={`M304 398h26v172h-26z${[420, 442, 464, 486, 508, 530, 552].map((y) => `M304 ${y}h26`).join('')}`}
        fill="none"
        stroke="#5C9A79"
        strokeWidth=".8"
      />
      <path d="M312 402h60v16h-60zM332 402v16m20-16v16M312 410h60" fill="none" stroke="#E39A2B" strokeWidth="2" />
      <g stroke="#6B8CC8" fill="none" strokeWidth="1.6">
        <path d="M578 456V786M590 456V786" />
        <path d={lattice(458, 786, 14, 578, 590, true)} strokeWidth="1" />
        <path
          d="M572 652h148M572 694h148M572 738h148M574 628v158M604 640v146M640 628v158M676 640v146M716 628v158"
          stroke="#86A3D6"
          strokeWidth="3"
        />
      </g>
      <path d="M572 686h150v76H572z" fill="#7FB59A" opacity=".35" />
      <path d="M569 555h15v26h-15z" fill="#F5A623" />
    </g>
  )
}

function Person({ x, y, vest }: { x: number; y: number; vest: string }) {
  return (
    <g>
      <path d={`M${x - 4} ${y + 18}h3.4v9h-3.4zM${x + 0.8} ${y + 18}h3.4v9h-3.4z`} fill="#28407A" />
      <rect x={x - 5} y={y + 6} width="10" height="13" rx="3" fill={vest} />
      <path d={`M${x - 5} ${y + 11}h10`} stroke="#FFE27A" strokeWidth="2" />
      <circle cx={x} cy={y + 2} r="3.6" fill="#F2CBA4" />
      <path d={`M${x - 4.6} ${y + 1}a4.6 4.6 0 0 1 9.2 0z`} fill="#F5A623" />
    </g>
  )
}

function Street() {
  return (
    <g>
      <path d="M0 786h900v16H0z" fill="#B7C7E1" />
      <path d="M0 800h900v36H0z" fill="#F4F8FE" />
      <path d={Array.from({ length: 16 }, (_, i) => `M${i * 58 + 38} 800v36`).join('')} stroke="#C3D2EA" strokeWidth="1.6" />
      <path d="M0 834h900v6H0z" fill="#7F9BCB" />
      {[280, 440, 760].map((x) => (
        <g key={x}>
          <path d={`M${x} 800h38v34h-38z`} fill={blue} />
          <path d={`M${x + 19} 808v18m-9-9h18`} stroke="#DCE8FA" strokeWidth="1.6" />
        </g>
      ))}
      <path d="M0 840h900v60H0z" fill="#A3B6D8" />
      <path d="M0 872h900" stroke="#E9F0FB" strokeWidth="3" strokeDasharray="34 26" />
      {[300, 328, 752, 780].map((x, i) => (
        <g key={x}>
          <path d={`M${x} 762v28`} stroke="#7B8FB0" strokeWidth="3" />
          <circle cx={x} cy={758 + (i % 2) * 6} r={15 - (i % 2) * 3} fill="#86B69B" opacity=".85" />
        </g>
      ))}
      <path d="M590 760h108v15H590zM596 775h10v67h-10zM682 775h10v67h-10z" fill={blue} />
      <path d="M604 767h80" stroke="#DCE8FA" strokeWidth="3" strokeDasharray="9 6" />
      <path d="M624 808v34M647 808v34M668 806v36" stroke="#4A6BAE" strokeWidth="6" />
      <path d="M619 797h11v12h-11zM641 797h11v12h-11z" fill="#12254D" />
      <path d="M652 818h8" stroke="#2EC487" strokeWidth="3" />
      <Person x={560} y={818} vest="#3E6FCB" />
      <Person x={582} y={818} vest="#E0801B" />
      <Person x={634} y={812} vest="#3E6FCB" />
      <Person x={410} y={396} vest="#3E6FCB" />
      <Person x={444} y={396} vest="#E0801B" />
      <Person x={514} y={434} vest="#3E6FCB" />
      <path d="M74 842h146v6H74z" fill="#26437F" />
      <path d="m82 838 26-32h66l18 32z" fill="#F4F8FE" stroke="#C3D2EA" />
      <path d="m104 808 26 30m4-30 26 30" stroke="#2E5FC2" strokeWidth="7" />
      <path d="M188 814h24l10 14v16h-34z" fill={blue} />
      <path d="M194 818h14l7 10h-21z" fill="#DCE8FA" />
      <path d="M120 800h38v7h-38z" fill={blue} />
      {[96, 122, 204].map((x) => (
        <g key={x}>
          <circle cx={x} cy="850" r="11" fill="#1B2D57" />
          <circle cx={x} cy="850" r="5" fill="#A9BBDD" />
        </g>
      ))}
      <path d="M46 752v48" stroke="#26437F" strokeWidth="4" />
      <path d="M36 726h20v26H36z" fill="#fff" stroke="#26437F" strokeWidth="2" />
      <path d="M41 734h10M41 740h7" stroke="#2EC487" strokeWidth="2" />
      <path d="M46 726v-8M30 721h32M38 716h16" stroke="#26437F" strokeWidth="2" />
    </g>
  )
}

const callouts: readonly [x: number, y: number, width: number, text: string, from: [number, number], bend?: [number, number]][] = [
  [520, 169, 170, '起重机械 · 力矩与防碰撞', [544, 238], [544, 197]],
  [600, 478, 146, '升降机 · 载重与门锁', [577, 560], [577, 493]],
  [86, 548, 146, '扬尘噪声 · 联动喷淋', [46, 724], [46, 563]],
  [120, 742, 120, '车辆冲洗 · 出入', [140, 800], [140, 770]],
  [714, 740, 120, '实名通行 · 考勤', [647, 800], [647, 754]],
]

export function Illustration() {
  return (
    <svg viewBox="0 0 900 900" preserveAspectRatio="xMidYMax slice" width="100%" height="100%" role="img" aria-label="工地示意图">
      <defs>
        <linearGradient id="sky" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="820">
          <stop offset="0" stopColor="#D3E2F6" />
          <stop offset=".6" stopColor="#EAF1FB" />
          <stop offset="1" stopColor="#F6F1E4" />
        </linearGradient>
        <radialGradient id="glow">
          <stop offset="0" stopColor="#FFF2D2" />
          <stop offset="1" stopColor="#FFF2D2" stopOpacity="0" />
        </radialGradient>
      </defs>
      <path d="M0-600h900v1500H0z" fill="url(#sky)" />
      <circle cx="640" cy="560" r="250" fill="url(#glow)" />
      <circle cx="640" cy="560" r="45" fill="#FFF8E8" />
      <path d="M0 640Q120 600 240 630T480 620T720 600T900 610V790H0z" fill="#D4E1F4" opacity=".8" />
      <City />
      <Crane />
      <Building />
      <Street />
      {callouts.map(([x, y, width, text, from, bend]) => (
        <g key={text}>
          <path
            d={`M${from[0]} ${from[1]}L${bend?.[0]} ${bend?.[1]}L${bend && bend[0] < x ? x : (bend?.[0] ?? x)} ${bend?.[1]}`}
            fill="none"
            stroke="#7F9BCB"
            strokeWidth="1.4"
          />
          <circle cx={from[0]} cy={from[1]} r="3" fill="#1558D6" />
          <rect x={x} y={y} width={width} height="28" rx="4" fill="#fff" stroke="#D5E1F3" />
          <text x={x + width / 2} y={y + 19} textAnchor="middle" fontSize="13" fill="#1F2937">
            {text}
          </text>
        </g>
      ))}
    </svg>
  )
}
