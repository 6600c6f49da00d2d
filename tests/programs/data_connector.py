"""A scoring program: the vendor's own client, told what to do line by line on standard input.

    data_connector.py ADDRESS SECONDS

Every line is JSON with "do"; every answer is a line of JSON. Once it "polls", it asks for new
results every so many seconds, accepts them, and prints each with the moment it came. Written for
the tests of Byestand; the client is PyPI's bridgemate-dataconnector-client.
"""

import json
import sys
import threading
import time

from bridgemate_dataconnector import (
    DataConnectorClient,
    validate_init_dto,
    validate_result_dto,
    validate_section_update_dto,
)
from bridgemate_dataconnector.dto import (
    Bridgemate2SettingsDTO,
    ContinueDTO,
    DataConnectorResponseData,
    HandrecordDTO,
    InitDTO,
    ParticipationDTO,
    PlayerDataDTO,
    ResultDTO,
    RoundDTO,
    ScoringGroupDTO,
    ScoringProgramDataConnectorCommands,
    ScoringProgramRequest,
    SectionDTO,
    SectionUpdateDTO,
    SessionDTO,
    TableDTO,
)

EVENT = "0123456789ABCDEF0123456789ABCDEF"
SESSION = "FEDCBA9876543210FEDCBA9876543210"
SETS = 13

address, interval = sys.argv[1], float(sys.argv[2])
client = DataConnectorClient("Tea and Bridge", "no licence", address)
lock = threading.Lock()
polling = threading.Event()


def say(**words):
    with lock:
        print(json.dumps(words), flush=True)


def seats(table, round_number, exchanged=()):
    """Twelve and a half tables: East-West up, boards down, whoever meets nobody sits out."""
    ew = (table - round_number) % SETS + 1
    if ew in exchanged:
        ew = exchanged[1] if ew == exchanged[0] else exchanged[0]
    boards = (table + round_number - 2) % SETS
    return table, ew, 2 * boards + 1, 2 * boards + 2


def tables(first_round=1, exchanged=()):
    made = []
    for number in range(1, SETS + 1):
        table = TableDTO(session_guid=SESSION, section_letters="A", table_number=number, rounds=[])
        for round_number in range(first_round, SETS + 1):
            ns, ew, low, high = seats(number, round_number, exchanged)
            if ns == SETS:
                ns, low, high = 0, 0, 0
            table.rounds.append(
                RoundDTO(
                    session_guid=SESSION,
                    section_letters="A",
                    table_number=number,
                    round_number=round_number,
                    low_board_number=low,
                    high_board_number=high,
                    pair_ns=ns,
                    pair_ew=ew,
                )
            )
        made.append(table)
    return made


def event(pin):
    section = SectionDTO(
        session_guid=SESSION, scoring_group_number=1, letters="A", winners=2, game_type=10, tables=tables()
    )
    group = ScoringGroupDTO(
        session_guid=SESSION, scoring_group_number=1, scoring_method=10, sections=[section]
    )
    session = SessionDTO(
        session_guid=SESSION,
        event_guid=EVENT,
        name="Tuesday Pairs",
        year=2026,
        month=11,
        day=17,
        hour=19,
        minute=30,
        scoring_groups=[group],
    )
    players = [
        PlayerDataDTO(session_guid=SESSION, player_number=f"{n:05}", first_name="Player", last_name=f"Number{n}")
        for n in range(1, 13)
    ]
    places = [
        ParticipationDTO(session_guid=SESSION, section_letters="A", table_number=n, direction=1, player_number=f"{n:05}")
        for n in range(1, 13)
    ]
    suits = ["AKQJT98765432", "", "", ""]
    hand = HandrecordDTO(session_guid=SESSION, scoring_group_number=1, section_letters="A", board_number=1)
    for at, seat in enumerate(("north", "east", "south", "west")):
        for turn, suit in enumerate(("clubs", "diamonds", "hearts", "spades")):
            setattr(hand, f"{seat}_{suit}", suits[(at - turn) % 4])
    settings = Bridgemate2SettingsDTO(
        session_guid=SESSION,
        section_letters="A",
        show_results=True,
        lead_card=True,
        member_numbers=True,
        bm2_auto_board_number=True,
        bm2_pi_ncode=pin,
    )
    made = InitDTO(
        commands=135,
        event_guid=EVENT,
        sessions=[session],
        player_data=players,
        participations=places,
        handrecords=[hand],
        bridgemate2_settings=[settings],
    )
    assert validate_init_dto(made), made.validation_messages
    return made


def raw(command, data, session=SESSION):
    request = ScoringProgramRequest()
    request.command = ScoringProgramDataConnectorCommands(command)
    request.session_guid = session
    request.serialized_data = data
    return client.send_request(request)


def told(response):
    return {
        "type": int(response.data_type),
        "error": int(response.error_type),
        "last": response.last_queue_item_id,
        "data": json.loads(response.serialized_data or "null"),
    }


def poll():
    while True:
        polling.wait()
        began = time.time()
        # The client does not catch a base station that dies in the middle of an answer.
        try:
            results = client.poll_for_results(SESSION)
        except OSError:
            time.sleep(interval)
            continue
        came = time.time()
        if results:
            try:
                accepted = client.accept_queue_data(SESSION, DataConnectorResponseData.Results)
                done = accepted.data_type == DataConnectorResponseData.OK
            except OSError:
                done = False
            for result in results:
                fine = validate_result_dto(result)
                say(result=result.to_dict(), at=came, accepted=done, valid=fine or result.validation_messages)
        time.sleep(max(0.0, interval - (time.time() - began)))


def do(wish):
    kind = wish["do"]
    if kind == "connect":
        return told(client.connect())
    if kind == "ping":
        return told(client.ping())
    if kind == "initialize":
        return told(client.initialize(event(wish["pin"])))
    if kind == "continue":
        return told(client.continue_event(ContinueDTO(event_guid=EVENT, commands=5)))
    if kind == "poll":
        (polling.set if wish["on"] else polling.clear)()
        return {}
    if kind == "exchange":
        update = SectionUpdateDTO(
            session_guid=SESSION,
            scoring_group_number=1,
            scoring_group_scoring_method=10,
            letters="A",
            winners=2,
            game_type=10,
            tables=tables(wish["from"], tuple(wish["pairs"])),
        )
        for table in update.tables:
            assert all(r.section_letters == "A" for r in table.rounds)
        # The client's own check wants every round from 1; the vendor's guide allows the rest alone.
        validate_section_update_dto(update)
        return told(client.update_movement(update))
    if kind == "results":
        results = [ResultDTO.from_dict(one | {"SessionGuid": SESSION}) for one in wish["results"]]
        for result in results:
            assert validate_result_dto(result), result.validation_messages
        return told(client.send_results(SESSION, results))
    if kind == "seats":
        return {"seats": [one.to_dict() for one in client.poll_for_participations(SESSION, wish["all"])]}
    if kind == "players":
        return {"players": [one.to_dict() for one in client.poll_for_player_data(SESSION, wish["all"])]}
    if kind == "hands":
        return {"hands": [one.to_dict() for one in client.poll_for_handrecords(SESSION, wish["all"])]}
    if kind == "calls":
        calls = [one.to_dict() for one in client.poll_for_td_calls(SESSION)]
        accepted = client.accept_queue_data(SESSION, DataConnectorResponseData.TdCalls)
        return {"calls": calls, "accepted": int(accepted.data_type)}
    if kind == "all":
        return {"results": [one.to_dict() for one in client.poll_for_results(SESSION, all=True)]}
    if kind == "raw":
        return told(raw(wish["command"], wish["data"], wish.get("session", SESSION)))
    raise ValueError(kind)


threading.Thread(target=poll, daemon=True).start()
for line in sys.stdin:
    asked = json.loads(line)
    say(did=asked["do"], answer=do(asked))
