"""Icons and 3-D emoji that have one obvious upright pose, chosen by looking at each.

Left out: what is round or symmetric (balls, coins, wheels, keys), what its
artist drew tilted (tools, rockets, guitars, chilli), what lies flat or is seen
from above (pizza, plates, beetles), what could hang, lie or fly either way
(fish, balloons, shells), letters and figures (a mirrored picture shows them),
religious signs, and the second of any two that differ in little (so that no twin
of a training asset is tested).
"""

from __future__ import annotations

_EMOJI = (
    # sky, land, plants
    "1f304 1f305 1f307 1f309 1f329 1f30b 1f331 1f332 1f333 1f334 1f335 1f337 1f339 1f33b 1f344 "
    "1f353 1f3d4 1f3d5 1f3d6 1f3dc 1f3dd 1f3de 1f5fb 1fab4 1f384 1f38b 1f38d "
    # food and drink
    "1f32e 1f354 1f359 1f35c 1f35d 1f35f 1f366 1f367 1f368 1f36e 1f36f 1f370 1f375 1f376 1f377 "
    "1f378 1f379 1f37a 1f37f 1f382 1f943 1f95b 1f95e 1f961 1f964 1f96a 1f96b 1f9c1 1f9c2 1f9c3 "
    "1f9c9 1f9cb 1fad5 1fad6 1fad9 "
    # buildings
    "1f3aa 1f3d7 1f3d8 1f3d9 1f3da 1f3df 1f3e0 1f3e2 1f3e3 1f3e5 1f3e8 1f3eb 1f3ec "
    "1f3ed 1f3ef 1f3f0 1f5fc 1f5fd 1f5ff 1f6d6 26f2 26fa 1f3a0 1f3a1 1f3a2 1f6dd "
    # animals that stand or sit, and heads
    "1f402 1f404 1f405 1f406 1f407 1f408 1f409 1f40c 1f40e 1f40f 1f410 1f411 1f412 1f413 1f414 "
    "1f415 1f416 1f417 1f418 1f419 1f422 1f423 1f424 1f425 1f426 1f427 1f428 1f429 1f42a 1f42d "
    "1f42e 1f42f 1f430 1f431 1f433 1f434 1f435 1f436 1f437 1f438 1f439 1f43a 1f43b 1f43c 1f43f "
    "1f648 1f980 1f981 1f983 1f984 1f986 1f989 1f98a 1f98c 1f98d 1f98f 1f992 1f993 1f994 1f995 "
    "1f996 1f998 1f999 1f99a 1f99b 1f99c 1f99d 1f9a1 1f9a2 1f9a3 1f9a4 1f9a7 1f9a8 1f9a9 1f9ab "
    "1f9ac 1f9ad 1fabc 1fabf 1face "
    # vehicles
    "1f3cd 1f3ce 1f682 1f683 1f684 1f685 1f686 1f687 1f688 1f689 1f68a 1f68b 1f68c 1f68d 1f68e "
    "1f690 1f691 1f692 1f694 1f695 1f696 1f697 1f699 1f69a 1f69b 1f69c 1f69d 1f69e 1f69f 1f6a0 "
    "1f6a1 1f6a2 1f6a3 1f6a4 1f6b2 1f6e5 1f6f3 1f6f4 1f6f5 1f6f6 1f6f7 1f6fa 1f6fb 26f4 26f5 "
    "1f9bc 1f9bd "
    # clothes
    "1f392 1f3a9 1f3bd 1f451 1f453 1f455 1f456 1f457 1f458 1f45a 1f45b 1f45c 1f460 1f462 1f6fc "
    "1f94b 1f97e 1f9e2 1f9e5 26f8 "
    # things
    "1f381 1f383 1f385 1f38e 1f391 1f399 1f3a5 1f3ae 1f3c6 1f3fa 1f47d 1f47e 1f482 1f484 "
    "1f48d 1f4a1 1f4ba 1f4bb 1f4bc 1f4c5 1f4ca 1f4cb 1f4da 1f4e0 1f4eb 1f4ee 1f4f7 1f4f9 "
    "1f4fa 1f4fb 1f4fd 1f512 1f514 1f525 1f52c 1f52d 1f52e 1f56f 1f570 1f579 1f5a5 1f5a8 1f5bc "
    "1f5c3 1f5c4 1f5d1 1f5d3 1f5f3 1f68f 1f6a8 1f6c1 1f6cb 1f6ce 1f6cf 1f6d2 1f916 1f920 1f945 "
    "1f94c 1f9ef 1f9f0 1f9f3 1f9f4 1f9f8 1f9fa 1fa82 1fa85 1fa86 1fa91 1faa3 1faa7 23f0 2602 2603 "
    "260e 265f 2693 2696 2697 26f3 26fd"
)

EMOJI = tuple(_EMOJI.split())
"""Code points of files in @lobehub/fluent-emoji-3d."""

_ICONS = (
    "alarm-clock ambulance amphora anchor anvil apple armchair backpack bath beaker bed-double "
    "beer bell bike bird birdhouse blender boom-box bot bottle-wine building bus bus-front "
    "cable-car cake calendar-days camera car car-taxi-front caravan castle cat chef-hat "
    "chess-bishop chess-king chess-knight chess-pawn chess-queen chess-rook cloud-lightning "
    "cloud-rain coffee computer concierge-bell cone cooking-pot crown cup-soda cupcake dessert "
    "dog dome ev-charger factory ferris-wheel fire-extinguisher flag flame flame-kindling "
    "flask-conical flask-round flower-2 forklift fuel gamepad-2 ghost gift glass-water glasses "
    "groceries hand hand-metal hard-hat hat-glasses headphones heater helicopter hospital "
    "hot-air-balloon hotel house ice-cream-bowl ice-cream-cone joystick lamp lamp-ceiling "
    "lamp-desk lamp-floor land-plot landmark laptop lectern lightbulb lighthouse lock luggage "
    "mailbox martini medal metronome microscope milestone milk monitor motorbike mountain-snow "
    "panda perfume-bottle person-standing piano piggy-bank plant-pot podium popcorn "
    "presentation printer projector pyramid rabbit radio-tower rat refrigerator robot-arm "
    "rocking-chair roller-coaster sailboat salad sandwich scale school scooter ship ship-cargo "
    "shirt shopping-basket shopping-cart shrub signpost siren snail soap-dispenser-droplet sofa "
    "soup sprout squirrel stamp store tent tent-tree theater toilet tool-case toolbox "
    "tower-control toy-brick tractor traffic-cone trailer train-front tram-front trash "
    "tree-deciduous tree-palm tree-pine trees trophy truck turtle tv umbrella university "
    "utility-pole van warehouse weight wine"
)

ICONS = tuple(_ICONS.split())
"""Names in lucide-static."""
